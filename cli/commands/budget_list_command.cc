// `tacho budget list`: by which budgets the server judges now.
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/budget_words.h"
#include "cli/command.h"
#include "cli/fleet_question.h"
#include "cli/values.h"

namespace tacho {
namespace {

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "budget", .is_elastic = true},
      {.name = "metric", .is_elastic = true},
      {.name = "instance", .rank = 1, .is_elastic = true},
      {.name = "statistic"},
      {.name = "limit", .is_right = true},
      {.name = "comparison", .where = Where::kDataOnly},
      {.name = "min_count", .rank = 5, .is_right = true},
      {.name = "min_coverage", .rank = 4, .is_right = true},
      {.name = "robot", .rank = 2, .is_elastic = true},
      {.name = "model", .rank = 3, .is_elastic = true},
      {.name = "power_mode", .rank = 6},
      {.name = "throttled", .rank = 7},
      {.name = "unit", .where = Where::kDataOnly},
      {.name = "for", .where = Where::kDataOnly},
  };
  return kColumns;
}

TableCell LimitCell(const Json& budget) {
  TableCell cell = QuantityCell(budget["limit"], budget["unit"].AsText());
  if (!cell.is_absent) cell.shown = budget["comparison"].AsText("?") + ' ' + cell.shown;
  return cell;
}

TableCell HeldForCell(const Json& budget) {
  const double seconds = budget["for_ns"].AsDouble() / 1e9;
  return seconds > 0 ? TextCell(FormatExact(seconds)) : Absent();
}

std::vector<TableCell> Row(const Json& budget) {
  TableCell statistic = WordCell(budget["statistic"]);
  if (!statistic.is_absent) statistic.shown = StatisticText(budget);
  return {WordCell(budget["budget"]),
          WordCell(budget["metric"]),
          WordCell(budget["instance"]),
          std::move(statistic),
          LimitCell(budget),
          WordCell(budget["comparison"]),
          CountCell(budget["min_count"]),
          ShareCell(budget["min_coverage"]),
          WordCell(budget["robot"]),
          WordCell(budget["model"]),
          WordCell(budget["power_mode"]),
          TextCell(budget["holds_when_throttled"].AsBool() ? "judged" : "INVALID"),
          WordCell(budget["unit"]),
          HeldForCell(budget)};
}

Result<AnswerPage> Run(const CommandArguments& /*arguments*/, CommandContext& context) {
  auto answer = AskFleet(context, "budgets", Json(Json::Object{}));
  if (!answer.ok()) return std::move(answer).status();
  const Json::Array& budgets = (*answer)["budgets"].items();
  AnswerPage page;
  page.json = *answer;
  page.headline = fmt::format("The server judges by version {} of its budgets: {}.",
                              (*answer)["version"].AsInt(), CountOf(budgets.size(), "budget"));
  Section& section = page.sections.emplace_back();
  section.table.columns = Columns();
  section.if_empty = "There is no budget, so every run is NO_DATA.";
  for (const Json& budget : budgets)
    section.table.rows.push_back(Row(budget));
  page.next = {"tacho budget try FILE --since 7d"};
  return page;
}

}  // namespace

extern constinit const Command kBudgetListCommand{
    .path = "budget list",
    .summary = "show the budgets that the server judges by now",
    .details =
        "ROBOT, MODEL and POWER MODE are the globs of the runs a budget is for; - is any. "
        "THROTTLED says what a run is in\nwhich throttling happened. The version counts the texts "
        "that the server has read.",
    .examples =
        "tacho budget list\n"
        "tacho budget list -o json | jq '.budgets[].budget'",
    .arguments = {},
    .options = {},
    .run = &Run,
};

}  // namespace tacho
