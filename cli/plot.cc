// Draws a series in text: dots of braille (or of ASCII) between labelled axes.
#include "cli/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace tacho {
namespace {

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool is_empty() const { return low > high; }
  void Include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Where `value` lies in `cells` equal parts; the middle one if the span has no width.
  std::size_t CellOf(double value, std::size_t cells) const {
    // Halved, since the difference of two finite numbers may be none.
    const double width = high / 2 - low / 2;
    if (width <= 0) return cells / 2;
    const double share = (value / 2 - low / 2) / width;
    return std::min(cells - 1, static_cast<std::size_t>(share * static_cast<double>(cells)));
  }
};

// A character holds dots_across x dots_down dots.
struct Glyphs {
  std::size_t dots_across;
  std::size_t dots_down;
};

// Dots of one character, bit by bit: row after row, left before right.
std::string BrailleOf(std::uint32_t dots) {
  constexpr std::array<std::uint32_t, 8> kBits = {0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80};
  std::uint32_t code = 0x2800;
  for (std::size_t i = 0; i < kBits.size(); ++i) {
    if ((dots >> i & 1U) != 0) code |= kBits.at(i);
  }
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

// The highest dot row is row 0.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t rows, Glyphs glyphs)
      : columns_(columns), glyphs_(glyphs), dots_(columns * rows, 0) {}

  void Dot(std::size_t x, std::size_t y) {
    const std::size_t cell = y / glyphs_.dots_down * columns_ + x / glyphs_.dots_across;
    const std::size_t bit = y % glyphs_.dots_down * glyphs_.dots_across + x % glyphs_.dots_across;
    dots_[cell] |= std::uint32_t{1} << bit;
  }

  std::string Row(std::size_t row) const {
    std::string text;
    for (std::size_t column = 0; column < columns_; ++column) {
      const std::uint32_t dots = dots_[row * columns_ + column];
      if (dots == 0) {
        text += ' ';
      } else {
        text += glyphs_.dots_across == 1 ? "*" : BrailleOf(dots);
      }
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

 private:
  std::size_t columns_;
  Glyphs glyphs_;
  std::vector<std::uint32_t> dots_;
};

bool IsFinite(const PlotPoint& point) {
  return std::isfinite(point.at) && std::isfinite(point.value);
}

// Lowest and highest value of each column of dots.
std::vector<Span> SpansOf(std::span<const PlotPoint> points, const Span& time,
                          std::size_t columns) {
  std::vector<Span> spans(columns);
  for (const PlotPoint& point : points) {
    if (IsFinite(point)) spans[time.CellOf(point.at, columns)].Include(point.value);
  }
  return spans;
}

std::string PadLeft(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - ColumnsOf(text))), ' ') + text;
}

// "└ 10:00:00        10:05:00", under a drawing of `columns`.
std::string TimeAxis(const PlotLabels& labels, int columns) {
  const int blanks = columns - ColumnsOf(labels.left) - ColumnsOf(labels.right);
  if (blanks < 1) return labels.left;
  return labels.left + std::string(static_cast<std::size_t>(blanks), ' ') + labels.right;
}

}  // namespace

std::vector<std::string> Plot(std::span<const PlotPoint> points, const PlotLabels& labels,
                              PlotSize size, Charset charset) {
  Span time;
  Span value;
  for (const PlotPoint& point : points) {
    if (!IsFinite(point)) continue;
    time.Include(point.at);
    value.Include(point.value);
  }
  if (value.is_empty()) return {};

  const bool is_ascii = charset == Charset::kAscii;
  const Glyphs glyphs = is_ascii ? Glyphs{1, 1} : Glyphs{2, 4};
  const int margin = std::max(ColumnsOf(labels.top), ColumnsOf(labels.bottom));
  constexpr int kLeastColumns = 10;
  const int columns = std::max(kLeastColumns, size.width - margin - 2);
  const auto rows = static_cast<std::size_t>(std::max(1, size.rows));
  Canvas canvas(static_cast<std::size_t>(columns), rows, glyphs);

  const std::size_t dot_rows = rows * glyphs.dots_down;
  const auto spans = SpansOf(points, time, static_cast<std::size_t>(columns) * glyphs.dots_across);
  for (std::size_t x = 0; x < spans.size(); ++x) {
    if (spans[x].is_empty()) continue;
    const std::size_t low = value.CellOf(spans[x].low, dot_rows);
    const std::size_t high = value.CellOf(spans[x].high, dot_rows);
    for (std::size_t level = low; level <= high; ++level) {
      canvas.Dot(x, dot_rows - 1 - level);
    }
  }

  std::vector<std::string> lines;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string label = row == 0 ? labels.top : row == rows - 1 ? labels.bottom : "";
    lines.push_back(PadLeft(label, margin) + (is_ascii ? " |" : " \u2502") + canvas.Row(row));
  }
  lines.push_back(std::string(static_cast<std::size_t>(margin + 2), ' ') +
                  TimeAxis(labels, columns));
  return lines;
}

}  // namespace tacho
