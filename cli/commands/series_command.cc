// `tacho series`: the values of metrics over time, drawn on a terminal, listed in a pipe.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/fleet_question.h"
#include "cli/plot.h"
#include "cli/run_name.h"
#include "cli/table_text.h"
#include "cli/values.h"
#include "cli/when.h"

namespace tacho {
namespace {

constexpr std::int64_t kPointsDrawn = 4000;  // more than any terminal has columns of dots
constexpr std::size_t kMostDrawn = 12;
constexpr int kWidthInFile = 80;  // where text goes to no terminal

constexpr std::array<ArgumentDef, 1> kArguments = {
    {{.name = "of",
      .placeholder = "RUN|ROBOT",
      .help = "a run (rb12/118/4, rb12@latest), or a robot, of whose last hour"}}};
constexpr std::array<OptionDef, 5> kOptions = {{
    {.name = "metric", .letter = 'm', .placeholder = "GLOB", .help = "only these: 'power_*'"},
    {.name = "instance", .letter = 'i', .placeholder = "GLOB", .help = "only these: 'VDD_*'"},
    kSinceOption,
    kUntilOption,
    {.name = "points",
     .placeholder = "N",
     .help = "at most so many a series; 0: all, as in a pipe (4000 on a terminal)"},
}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> columns = {
      {.name = "time"}, {.name = "value"}, {.name = "metric"},  {.name = "instance"},
      {.name = "unit"}, {.name = "stat"},  {.name = "boot_ns"},
  };
  return columns;
}

// A point of the wire: [wall_ns or null, boot_ns, value].
const Json& WallOf(const Json& point) {
  static const Json none;
  return point.items().size() > 2 ? point.items()[0] : none;
}
const Json& BootOf(const Json& point) {
  static const Json none;
  return point.items().size() > 2 ? point.items()[1] : none;
}
const Json& ValueOf(const Json& point) {
  static const Json none;
  return point.items().size() > 2 ? point.items()[2] : none;
}

void AddRows(const Json& series, Table& table) {
  const TableCell metric = WordCell(series["metric"]);
  const TableCell instance = WordCell(series["instance"]);
  const TableCell unit = WordCell(series["unit"]);
  const TableCell stat = WordCell(series["stat"]);
  for (const Json& point : series["points"].items()) {
    table.rows.push_back({TimeCell(WallOf(point), "ntp"), QuantityCell(ValueOf(point), unit.raw),
                          metric, instance, unit, stat, CountCell(BootOf(point))});
  }
}

// ---- drawing

std::string AbsentText(const Json& absent) {
  std::string text;
  for (const auto& [why, count] : absent.members()) {
    if (count.AsInt() > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", why, count.AsInt());
  }
  return text.empty() ? "" : "; without a value: " + text;
}

std::string TitleOf(const Json& series) {
  std::string title = series["metric"].AsText("-");
  if (!series["instance"].AsText().empty()) title += ' ' + series["instance"].AsText();
  const std::string stat = series["stat"].AsText();
  if (!stat.empty() && stat != "value") title += fmt::format(" ({})", stat);
  return title;
}

// Boot time orders the points of a run; those of a window may be of several boots.
enum class Axis { kBoot, kWall };

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
    const Json& at = axis == Axis::kBoot ? BootOf(point) : WallOf(point);
    const Json& value = ValueOf(point);
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
  const Json& from = WallOf(*drawing.first);
  const Json& to = WallOf(*drawing.last);
  if (from.is_number() && to.is_number()) {
    labels.left = FormatTime(WallTimeOf(from.AsInt()));
    labels.right = FormatTime(WallTimeOf(to.AsInt()));
  } else {
    labels.right = FormatDuration(
        (BootOf(*drawing.last).AsDouble() - BootOf(*drawing.first).AsDouble()) / 1e9);
  }
  return labels;
}

Section Draw(const Json& series, Axis axis, int rows, const Style& style) {
  const std::string unit = series["unit"].AsText();
  Section section{.title = TitleOf(series), .where = Where::kTextOnly};
  const Drawing drawing = DrawingOf(series, axis);
  if (drawing.points.empty()) {
    section.if_empty = "no value" + AbsentText(series["absent"]);
    return section;
  }
  const int width = style.width > 0 ? style.width : kWidthInFile;
  section.lines = Plot(drawing.points, LabelsOf(drawing, unit), {width, rows}, CharsetOf(style));
  const TableCell share = ShareCell(series["coverage"]);
  section.lines.push_back(
      fmt::format("{}, last {}; coverage {}{}", CountOf(drawing.points.size(), "point"),
                  FormatQuantity(drawing.points.back().value, unit),
                  share.is_absent ? "unknown" : share.shown, AbsentText(series["absent"])));
  return section;
}

void AddDrawings(const Json::Array& all, Axis axis, const Style& style, AnswerPage& page) {
  const int rows = all.size() <= 2 ? 8 : 3;
  for (std::size_t i = 0; i < std::min(all.size(), kMostDrawn); ++i) {
    page.sections.push_back(Draw(all[i], axis, rows, style));
  }
  if (all.size() > kMostDrawn) {
    page.warnings.push_back(
        fmt::format("{} more series are not drawn; --metric and --instance choose, -o tsv has all.",
                    all.size() - kMostDrawn));
  }
}

// ---- question and page

bool IsRobot(std::string_view of) {
  return of.find_first_of("/@") == std::string_view::npos;
}

Result<Json> QuestionOf(const CommandArguments& arguments, const CommandContext& context) {
  const std::string of = arguments.Text("of");
  auto window = ParseWindow(arguments, context.now);
  if (!window.ok()) return std::move(window).status();
  Json question{Json::Object{}};
  if (IsRobot(of)) {
    question.Set("robot", of);
    if (!window->since && !window->until) window->since = context.now - std::chrono::hours(1);
  } else {
    auto run = ParseRunName(of);
    if (!run.ok()) return std::move(run).status();
    question.Set("run", *run);
  }
  window->AddTo(question);
  for (const char* name : {"metric", "instance"}) {
    if (arguments.Has(name)) question.Set(name, arguments.Text(name));
  }
  const bool is_drawn = context.style.format == Format::kTable;
  auto points = arguments.Int("points", is_drawn ? kPointsDrawn : 0, {0, 1'000'000});
  if (!points.ok()) return std::move(points).status();
  question.Set("max_points", *points);
  return question;
}

std::string Coverage(const Json::Array& all) {
  const Json* least = nullptr;
  std::size_t unknown = 0;
  for (const Json& series : all) {
    if (!series["coverage"].is_number()) {
      ++unknown;
    } else if (least == nullptr ||
               series["coverage"].AsDouble() < (*least)["coverage"].AsDouble()) {
      least = &series;
    }
  }
  std::string text = fmt::format("{} series", all.size());
  if (least != nullptr) {
    text += fmt::format("; the least covered has {} ({})",
                        FormatShare((*least)["coverage"].AsDouble()), TitleOf(*least));
  }
  if (unknown > 0) text += fmt::format("; coverage of {} is unknown", unknown);
  return text;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto question = QuestionOf(arguments, context);
  if (!question.ok()) return std::move(question).status();
  auto answer = AskFleet(context, "series", *question);
  if (!answer.ok()) return std::move(answer).status();
  const Json::Array& all = (*answer)["series"].items();

  AnswerPage page;
  page.json = all;
  const std::string of = arguments.Text("of");
  AddDrawings(all, IsRobot(of) ? Axis::kWall : Axis::kBoot, context.style, page);
  Section& table = page.sections.emplace_back();
  table.table.columns = Columns();
  table.where = all.empty() ? Where::kBoth : Where::kDataOnly;
  table.if_empty = "No series matches.";
  if (context.style.format != Format::kTable) {
    for (const Json& series : all) {
      AddRows(series, table.table);
    }
  }
  page.coverage = Coverage(all);
  page.next = {(IsRobot(of) ? "tacho runs --robot " : "tacho run show ") + ShellWord(of)};
  return page;
}

}  // namespace

extern constinit const Command kSeriesCommand{
    .path = "series",
    .summary = "show the values of metrics over time",
    .details =
        "Draws on a terminal: each column spans the lowest to the highest value of its time, "
        "and is blank where\nthere was none. In a pipe: a row a point (time, value, metric, "
        "instance, unit, stat, boot_ns).",
    .examples =
        "tacho series rb12/118/4 -m power_rail -i VDD_IN\n"
        "tacho series rb12 --since 2h -m 'thermal_*'   # of a robot, over its runs\n"
        "tacho series rb12@latest -m power_rail | awk -F'\\t' '$2 > 30'",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
