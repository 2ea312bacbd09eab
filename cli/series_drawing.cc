// A series of the server's answer as a drawing, with a line that says how much of it there is.
#include "cli/series_drawing.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "cli/plot.h"
#include "cli/table_text.h"
#include "cli/values.h"

namespace tacho {
namespace {

const Json& Member(const Json& point, std::size_t index) {
  static const Json kNone;
  return point.items().size() > 2 ? point.items()[index] : kNone;
}

std::string AbsentText(const Json& absent) {
  std::string text;
  for (const auto& [why, count] : absent.members()) {
    if (count.AsInt() > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", why, count.AsInt());
  }
  return text.empty() ? "" : "; without a value: " + text;
}

struct Drawing {
  std::vector<PlotPoint> points;
  const Json* first = nullptr;
  const Json* last = nullptr;
  double low = 0;
  double high = 0;
};

Drawing DrawingOf(const Json& series, Axis axis) {
  Drawing drawing;
  for (const Json& point : series["points"].items()) {
    const Json& at = axis == Axis::kBoot ? BootOfPoint(point) : WallOfPoint(point);
    const Json& value = ValueOfPoint(point);
    if (!at.is_number() || !value.is_number()) continue;
    const PlotPoint next{at.AsDouble(), value.AsDouble()};
    if (drawing.points.empty()) drawing.low = drawing.high = next.value;
    drawing.low = std::min(drawing.low, next.value);
    drawing.high = std::max(drawing.high, next.value);
    if (drawing.first == nullptr) drawing.first = &point;
    drawing.last = &point;
    drawing.points.push_back(next);
  }
  return drawing;
}

PlotLabels LabelsOf(const Drawing& drawing, const std::string& unit) {
  const auto [high, low] = FormatApart(drawing.high, drawing.low, unit);
  PlotLabels labels{.top = high, .bottom = low, .left = "0s", .right = ""};
  const Json& from = WallOfPoint(*drawing.first);
  const Json& to = WallOfPoint(*drawing.last);
  if (from.is_number() && to.is_number()) {
    labels.left = FormatTime(WallTimeOf(from.AsInt()));
    labels.right = FormatTime(WallTimeOf(to.AsInt()));
  } else {
    labels.right = FormatDuration(
        (BootOfPoint(*drawing.last).AsDouble() - BootOfPoint(*drawing.first).AsDouble()) / 1e9);
  }
  return labels;
}

// "40 points, last 86 %"; "3 of 40 points drawn, last 86 %". The last point of those that were
// kept need not be the last reading, so it is called that only where the server vouches for it.
std::string PointsText(const Json& series, const Drawing& drawing, bool is_thinned) {
  const std::size_t drawn = drawing.points.size();
  const std::string unit = series["unit"].AsText();
  const std::string last = FormatQuantity(drawing.points.back().value, unit);
  if (!is_thinned) return fmt::format("{}, last {}", CountOf(drawn, "point"), last);
  std::string text = fmt::format("{} drawn, perhaps of more", CountOf(drawn, "point"));
  if (series["count"].is_number()) {
    text = fmt::format("{} of {} drawn", drawn,
                       CountOf(static_cast<std::size_t>(series["count"].AsInt()), "point"));
  }
  if (!series["last"].is_number()) return fmt::format("{}, last drawn {}", text, last);
  return fmt::format("{}, last {}", text, FormatQuantity(series["last"].AsDouble(), unit));
}

}  // namespace

const Json& WallOfPoint(const Json& point) {
  return Member(point, 0);
}

const Json& BootOfPoint(const Json& point) {
  return Member(point, 1);
}

const Json& ValueOfPoint(const Json& point) {
  return Member(point, 2);
}

std::string NameOfSeries(const Json& series) {
  std::string name = series["metric"].AsText("-");
  if (!series["instance"].AsText().empty()) name += ' ' + series["instance"].AsText();
  const std::string stat = series["stat"].AsText();
  if (!stat.empty() && stat != "value") name += fmt::format(" ({})", stat);
  return name;
}

std::string NoValueText(const Json& series) {
  return "no value" + AbsentText(series["absent"]);
}

bool HasValue(const Json& series) {
  const Json::Array& points = series["points"].items();
  return std::any_of(points.begin(), points.end(),
                     [](const Json& point) { return ValueOfPoint(point).is_number(); });
}

bool IsThinned(const Json& series, std::size_t most_points) {
  const auto points = static_cast<std::int64_t>(series["points"].items().size());
  if (series["count"].is_number()) return points < series["count"].AsInt();
  return most_points > 0 && points >= static_cast<std::int64_t>(most_points);
}

Section DrawSeries(const Json& series, Axis axis, DrawingSize size, std::size_t most_points,
                   const Style& style) {
  Section section{.title = NameOfSeries(series), .where = Where::kTextOnly};
  const Drawing drawing = DrawingOf(series, axis);
  if (drawing.points.empty()) {
    section.if_empty = NoValueText(series);
    return section;
  }
  section.lines = Plot(drawing.points, LabelsOf(drawing, series["unit"].AsText()),
                       {size.width, size.rows}, CharsetOf(style));
  const TableCell share = ShareCell(series["coverage"]);
  section.lines.push_back(
      fmt::format("{}; coverage {}{}", PointsText(series, drawing, IsThinned(series, most_points)),
                  share.is_absent ? "unknown" : share.shown, AbsentText(series["absent"])));
  return section;
}

}  // namespace tacho
