// Lays a table out for a terminal: aligned, clipped or thinned to its width, coloured by verdict.
#include "cli/table_text.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace tacho {
namespace {

constexpr int kGap = 2;            // blanks between columns
constexpr int kLeastElastic = 10;  // narrower than this, text is not worth showing
constexpr int kWidestName = 64;    // a name is copied by hand, so it stays whole up to here

// One column on its way to the screen.
struct Strip {
  const TableColumn* column = nullptr;
  std::vector<std::string> texts;  // title, then cells; printable
  std::vector<Tone> tones;
  int natural = 0;
  int width = 0;

  int least() const { return column->is_elastic ? std::min(natural, kLeastElastic) : natural; }
};

std::string TitleOf(const TableColumn& column) {
  std::string title = column.name;
  for (char& c : title) {
    c = c == '_' ? ' ' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return title;
}

bool HasHeader(const Table& table, const Style& style) {
  return table.has_header && !style.is_continued;
}

Strip MakeStrip(const Table& table, std::size_t index, std::size_t rows, const Style& style) {
  Strip strip;
  strip.column = &table.columns[index];
  strip.texts.push_back(HasHeader(table, style) ? TitleOf(*strip.column) : "");
  strip.tones.push_back(Tone::kDim);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto& row = table.rows[i];
    std::string text = Printable(row[index].shown, CharsetOf(style));
    if (style.width > 0 && !strip.column->is_right) {
      text = Clip(text, kWidestName, CharsetOf(style));
    }
    strip.texts.push_back(std::move(text));
    strip.tones.push_back(row[index].tone);
  }
  for (const std::string& text : strip.texts) {
    strip.natural = std::max(strip.natural, ColumnsOf(text));
  }
  return strip;
}

int LeastWidth(const std::vector<Strip>& strips) {
  int width = 0;
  for (const Strip& strip : strips) {
    width += strip.least() + kGap;
  }
  return width - kGap;
}

// Takes out the columns of the highest rank until the rest fits.
std::vector<std::string> DropColumns(std::vector<Strip>& strips, int width) {
  std::vector<std::string> left_out;
  while (LeastWidth(strips) > width) {
    const auto worst = std::max_element(
        strips.begin(), strips.end(),
        [](const Strip& a, const Strip& b) { return a.column->rank < b.column->rank; });
    if (worst->column->rank == 0) break;
    left_out.push_back(worst->texts.front());
    strips.erase(worst);
  }
  return left_out;
}

// Gives the room that is left to the elastic columns, from left to right.
void ShareOut(std::vector<Strip>& strips, int width) {
  int room = width - LeastWidth(strips);
  for (Strip& strip : strips) {
    const int more = std::clamp(room, 0, strip.natural - strip.least());
    strip.width = strip.least() + more;
    room -= more;
  }
}

std::string LineOf(const std::vector<Strip>& strips, std::size_t row, const Style& style) {
  std::string line;
  std::size_t blanks = 0;  // written only before more text: no line ends in blanks
  for (const Strip& strip : strips) {
    const std::string text = Clip(strip.texts[row], strip.width, CharsetOf(style));
    const auto pad = static_cast<std::size_t>(std::max(0, strip.width - ColumnsOf(text)));
    line.append(blanks + (strip.column->is_right ? pad : 0), ' ');
    line += Painted(text, strip.tones[row], style);
    blanks = (strip.column->is_right ? 0 : pad) + kGap;
  }
  return line;
}

std::string_view EscapeOf(Tone tone) {
  switch (tone) {
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kBad:
      return "\x1b[1;31m";
    case Tone::kWarn:
      return "\x1b[33m";
    case Tone::kMissing:
      return "\x1b[35m";
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kPlain:
      break;
  }
  return "";
}

}  // namespace

TableText LayOut(const Table& table, std::size_t most_rows, const Style& style) {
  const std::size_t rows =
      most_rows == 0 ? table.rows.size() : std::min(most_rows, table.rows.size());
  std::vector<Strip> strips;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].where == Where::kDataOnly) continue;
    strips.push_back(MakeStrip(table, i, rows, style));
  }
  const int width = style.width > 0 ? style.width : std::numeric_limits<int>::max();
  TableText text;
  text.left_out = DropColumns(strips, width);
  ShareOut(strips, width);
  for (std::size_t row = HasHeader(table, style) ? 0 : 1; row <= rows; ++row) {
    text.lines.push_back(LineOf(strips, row, style));
  }
  return text;
}

std::string Painted(std::string_view text, Tone tone, const Style& style) {
  const std::string_view escape = EscapeOf(tone);
  if (!style.use_colour || escape.empty() || text.empty()) return std::string(text);
  return std::string(escape).append(text).append("\x1b[0m");
}

}  // namespace tacho
