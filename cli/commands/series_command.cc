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
#include "cli/exit_code.h"
#include "cli/fleet_question.h"
#include "cli/run_name.h"
#include "cli/series_drawing.h"
#include "cli/series_order.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/when.h"

namespace tacho {
namespace {

constexpr std::int64_t kPointsDrawn = 4000;  // more than any terminal has columns of dots
constexpr std::size_t kMostDrawn = 12;
constexpr int kWidthInFile = 80;  // where text goes to no terminal
constexpr std::array<const char*, 2> kFilters = {"metric", "instance"};

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
     .help = "thin each series to so many; 0: all, as in a pipe (4000 on a terminal)"},
}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "time"}, {.name = "value"}, {.name = "metric"},  {.name = "instance"},
      {.name = "unit"}, {.name = "stat"},  {.name = "boot_ns"},
  };
  return kColumns;
}

void AddRows(const Json& series, Table& table) {
  const TableCell metric = WordCell(series["metric"]);
  const TableCell instance = WordCell(series["instance"]);
  const TableCell unit = WordCell(series["unit"]);
  const TableCell stat = WordCell(series["stat"]);
  for (const Json& point : series["points"].items()) {
    table.rows.push_back({TimeCell(WallOfPoint(point), "ntp"),
                          QuantityCell(ValueOfPoint(point), unit.raw), metric, instance, unit, stat,
                          CountCell(BootOfPoint(point))});
  }
}

// ---- question

bool IsRobot(std::string_view of) {
  return of.find_first_of("/@") == std::string_view::npos;
}

struct Question {
  std::string of{};
  Window window{};
  std::size_t most_points = 0;
  Json json{Json::Object{}};
};

Result<Question> QuestionOf(const CommandArguments& arguments, const CommandContext& context) {
  Question question{.of = arguments.Text("of")};
  auto window = ParseWindow(arguments, context.now);
  if (!window.ok()) return std::move(window).status();
  question.window = *window;
  if (IsRobot(question.of)) {
    question.json.Set("robot", question.of);
    if (!window->since && !window->until) {
      question.window.since = context.now - std::chrono::hours(1);
    }
  } else {
    auto run = ParseRunName(question.of);
    if (!run.ok()) return std::move(run).status();
    question.json.Set("run", *run);
  }
  question.window.AddTo(question.json);
  for (const char* name : kFilters) {
    if (arguments.Has(name)) question.json.Set(name, arguments.Text(name));
  }
  const bool is_drawn = context.style.format == Format::kTable;
  auto points = arguments.Int("points", is_drawn ? kPointsDrawn : 0, {0, 1'000'000});
  if (!points.ok()) return std::move(points).status();
  question.most_points = static_cast<std::size_t>(*points);
  question.json.Set("max_points", *points);
  return question;
}

// The server answers of a robot that it does not know as of one that measured nothing.
Result<bool> IsKnownRobot(const std::string& name, CommandContext& context) {
  auto answer = AskFleet(context, "robots", Json::Object{{"robot", name}});
  if (!answer.ok()) return std::move(answer).status();
  const Json::Array& robots = (*answer)["robots"].items();
  return std::any_of(robots.begin(), robots.end(),
                     [&name](const Json& robot) { return robot["robot"].AsText() == name; });
}

// ---- page

void AddDrawings(const std::vector<const Json*>& all, const Question& question, const Style& style,
                 AnswerPage& page) {
  const Axis axis = IsRobot(question.of) ? Axis::kWall : Axis::kBoot;
  const DrawingSize size{.width = style.width > 0 ? style.width : kWidthInFile,
                         .rows = all.size() <= 2 ? 8 : 3};
  for (std::size_t i = 0; i < std::min(all.size(), kMostDrawn); ++i) {
    page.sections.push_back(DrawSeries(*all[i], axis, size, question.most_points, style));
  }
  if (all.size() > kMostDrawn) {
    page.warnings.push_back(
        fmt::format("{} more series are not drawn; --metric and --instance choose, -o tsv has all.",
                    all.size() - kMostDrawn));
  }
}

// What the rows themselves cannot show: series without one, and readings that were left out.
void AddNotes(const std::vector<const Json*>& all, std::size_t most_points, AnswerPage& page) {
  std::size_t without = 0;
  std::size_t thinned = 0;
  bool is_counted = true;  // the server says of how many
  for (const Json* series : all) {
    if (IsThinned(*series, most_points)) {
      ++thinned;
      is_counted = is_counted && (*series)["count"].is_number();
    }
    if (HasValue(*series) || ++without > kMostDrawn) continue;
    page.notes.push_back(fmt::format("{}: {}.", NameOfSeries(*series), NoValueText(*series)));
  }
  if (without > kMostDrawn) {
    page.notes.push_back(fmt::format("{} more series have no value.", without - kMostDrawn));
  }
  if (thinned > 0) {
    page.warnings.push_back(
        fmt::format("{} of {} series {} thinned to {}; --points 0 leaves nothing out.", thinned,
                    all.size(), is_counted ? "are" : "may be", CountOf(most_points, "point")));
  }
}

std::string Coverage(const std::vector<const Json*>& all) {
  const Json* least = nullptr;
  std::size_t unknown = 0;
  for (const Json* series : all) {
    if (!(*series)["coverage"].is_number()) {
      ++unknown;
    } else if (least == nullptr ||
               (*series)["coverage"].AsDouble() < (*least)["coverage"].AsDouble()) {
      least = series;
    }
  }
  std::string text = fmt::format("{} series", all.size());
  if (least != nullptr) {
    text += fmt::format("; the least covered has {} ({})",
                        FormatShare((*least)["coverage"].AsDouble()), NameOfSeries(*least));
  }
  if (unknown > 0) text += fmt::format("; coverage of {} is unknown", unknown);
  return text;
}

// Says of nothing why it is nothing, and whether what was named was not found.
Status ExplainNothing(const Question& question, CommandContext& context, AnswerPage& page) {
  const bool is_robot = IsRobot(question.of);
  std::string& sentence = page.sections.back().if_empty;
  if (is_robot) {
    auto is_known = IsKnownRobot(question.of, context);
    if (!is_known.ok()) return std::move(is_known).status();
    if (!*is_known) {
      sentence = fmt::format("There is no robot '{}'.", question.of);
      page.next = {"tacho robots"};
      page.exit_code = kExitNotFound;
      return {};
    }
  }
  const bool has_window = question.window.since || question.window.until;
  const std::string where =
      has_window ? fmt::format("{} {}", question.of, question.window.Describe()) : question.of;
  std::string filters;
  for (const char* name : kFilters) {
    if (question.json[name].is_null()) continue;
    filters += fmt::format("{}--{} {}", filters.empty() ? "" : " ", name,
                           ShellWord(question.json[name].AsText()));
  }
  sentence = fmt::format("Nothing was measured of {}.", where);
  if (filters.empty()) return {};
  sentence = fmt::format(
      "No series of {} matches {}. `tacho run show {} --section series` lists what there is.",
      where, filters, ShellWord(is_robot ? question.of + "@latest" : question.of));
  page.exit_code = kExitNotFound;
  return {};
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto question = QuestionOf(arguments, context);
  if (!question.ok()) return std::move(question).status();
  auto answer = AskFleet(context, "series", question->json);
  if (!answer.ok()) return std::move(answer).status();
  const auto all = InOrderOfNeed((*answer)["series"].items());
  const bool is_drawn = context.style.format == Format::kTable;

  AnswerPage page;
  page.json = (*answer)["series"].items();
  page.next = {(IsRobot(question->of) ? "tacho runs --robot " : "tacho run show ") +
               ShellWord(question->of)};
  if (!all.empty()) page.coverage = Coverage(all);
  if (is_drawn) AddDrawings(all, *question, context.style, page);
  Section& table = page.sections.emplace_back();
  table.table.columns = Columns();
  table.where = all.empty() ? Where::kBoth : Where::kDataOnly;
  if (all.empty()) TACHO_TRY(ExplainNothing(*question, context, page));
  if (is_drawn) return page;
  AddNotes(all, question->most_points, page);
  for (const Json* series : all) {
    AddRows(*series, table.table);
  }
  return page;
}

}  // namespace

extern constinit const Command kSeriesCommand{
    .path = "series",
    .summary = "show the values of metrics over time",
    .details =
        "Draws on a terminal: each column spans the lowest to the highest value of its time, "
        "and is blank where\nthere was none. In a pipe: a row a point (time, value, metric, "
        "instance, unit, stat, boot_ns).\nExits 3 where the robot or the run does not exist, and "
        "where --metric and --instance match no series.",
    .examples =
        "tacho series rb12/118/4 -m power_rail -i VDD_IN\n"
        "tacho series rb12 --since 2h -m 'thermal_*'   # of a robot, over its runs\n"
        "tacho series rb12@latest -m power_rail | awk -F'\\t' '$2 > 30'",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
