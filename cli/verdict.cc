// What a verdict means to the command line: its order, its colour and the exit code of `check`.
#include "cli/verdict.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/exit_code.h"
#include "cli/values.h"

namespace tacho {
namespace {

const std::vector<TableColumn>& BudgetColumns() {
  static const std::vector<TableColumn> columns = {
      {.name = "budget"},
      {.name = "verdict"},
      {.name = "value", .is_right = true},
      {.name = "limit", .is_right = true},
      {.name = "comparison", .where = Where::kDataOnly},
      {.name = "low", .where = Where::kDataOnly},
      {.name = "high", .where = Where::kDataOnly},
      {.name = "interval", .rank = 2, .is_right = true, .where = Where::kTextOnly},
      {.name = "n", .rank = 1, .is_right = true},
      {.name = "coverage", .rank = 1, .is_right = true},
      {.name = "metric", .rank = 3, .is_elastic = true},
      {.name = "instance", .rank = 4, .is_elastic = true},
      {.name = "statistic", .rank = 5},
      {.name = "unit", .where = Where::kDataOnly},
      {.name = "expected", .where = Where::kDataOnly},
      {.name = "reason", .where = Where::kDataOnly},
  };
  return columns;
}

std::string LimitText(const Json& budget, const std::string& number) {
  return fmt::format("{} {}", budget["comparison"].AsText("?"), number);
}

// The value and the limit side by side: "90.004 ms" against "<= 90 ms", not twice "90 ms".
TwoQuantities ValueAndLimit(const Json& budget) {
  return FormatApart(budget["value"].AsDouble(), budget["limit"].AsDouble(),
                     budget["unit"].AsText());
}

TableCell ValueCell(const Json& budget) {
  TableCell cell = QuantityCell(budget["value"], budget["unit"].AsText());
  if (!cell.is_absent && budget["limit"].is_number()) cell.shown = ValueAndLimit(budget).first;
  return cell;
}

TableCell LimitCell(const Json& budget) {
  TableCell cell = QuantityCell(budget["limit"], budget["unit"].AsText());
  if (cell.is_absent) return cell;
  if (budget["value"].is_number()) cell.shown = ValueAndLimit(budget).second;
  cell.shown = LimitText(budget, cell.shown);
  return cell;
}

TableCell IntervalCell(const Json& budget) {
  if (!budget["low"].is_number() || !budget["high"].is_number()) return Absent();
  const auto [low, high] =
      FormatApart(budget["low"].AsDouble(), budget["high"].AsDouble(), budget["unit"].AsText());
  return TextCell(fmt::format("{} .. {}", low, high));
}

// "57 of 60": how much of what was expected there was.
TableCell SampleCell(const Json& budget) {
  TableCell cell = CountCell(budget["count"]);
  if (budget["expected"].is_number()) {
    cell.shown += fmt::format(" of {}", budget["expected"].AsInt());
  }
  return cell;
}

std::vector<TableCell> BudgetRow(const Json& budget) {
  const std::string unit = budget["unit"].AsText();
  return {WordCell(budget["budget"]),
          VerdictCell(budget["verdict"]),
          ValueCell(budget),
          LimitCell(budget),
          WordCell(budget["comparison"]),
          QuantityCell(budget["low"], unit),
          QuantityCell(budget["high"], unit),
          IntervalCell(budget),
          SampleCell(budget),
          ShareCell(budget["coverage"]),
          WordCell(budget["metric"]),
          WordCell(budget["instance"]),
          WordCell(budget["statistic"]),
          WordCell(budget["unit"]),
          CountCell(budget["expected"]),
          WordCell(budget["reason"])};
}

}  // namespace

VerdictRank ParseVerdict(std::string_view word) {
  if (word == "PASS") return VerdictRank::kPass;
  if (word == "MARGINAL") return VerdictRank::kMarginal;
  if (word == "FAIL") return VerdictRank::kFail;
  return VerdictRank::kNotJudged;  // NO_DATA, INVALID, NOT_COMPARABLE, none, and words yet to come
}

VerdictRank WorstOf(std::string_view run_verdict, const Json::Array& budgets) {
  VerdictRank worst = ParseVerdict(run_verdict);
  if (budgets.empty()) worst = std::max(worst, VerdictRank::kNotJudged);
  for (const Json& budget : budgets) {
    worst = std::max(worst, ParseVerdict(budget["verdict"].AsText()));
  }
  return worst;
}

Tone ToneOf(VerdictRank verdict) {
  switch (verdict) {
    case VerdictRank::kPass:
      return Tone::kGood;
    case VerdictRank::kMarginal:
      return Tone::kWarn;
    case VerdictRank::kFail:
      return Tone::kBad;
    case VerdictRank::kNotJudged:
      break;
  }
  return Tone::kMissing;
}

int CheckExitCode(VerdictRank verdict, bool is_margin_strict) {
  switch (verdict) {
    case VerdictRank::kPass:
      return kExitOk;
    case VerdictRank::kMarginal:
      return is_margin_strict ? kExitFail : kExitOk;
    case VerdictRank::kFail:
      return kExitFail;
    case VerdictRank::kNotJudged:
      break;
  }
  return kExitNoVerdict;
}

TableCell VerdictCell(const Json& word) {
  const std::string text = word.AsText();
  return text.empty() ? Absent() : TextCell(text, ToneOf(ParseVerdict(text)));
}

Section BudgetSection(const Json::Array& budgets) {
  Section section{.tag = "budget",
                  .table = {.columns = BudgetColumns(), .rows = {}},
                  .if_empty = "No budget applies to this run: nothing was judged."};
  for (const Json& budget : budgets) {
    section.table.rows.push_back(BudgetRow(budget));
    const std::string reason = budget["reason"].AsText();
    if (reason.empty() || ParseVerdict(budget["verdict"].AsText()) == VerdictRank::kPass) continue;
    section.lines.push_back(fmt::format("{}: {}", budget["budget"].AsText("-"), reason));
  }
  return section;
}

std::string NameWithValue(const Json& budget) {
  const std::string name = budget["budget"].AsText("-");
  const std::string reason = budget["reason"].AsText();
  if (!budget["value"].is_number()) {
    return fmt::format("{} ({})", name, reason.empty() ? "no value" : reason);
  }
  const TwoQuantities both = ValueAndLimit(budget);
  return fmt::format("{} ({} {}, limit {})", name, budget["statistic"].AsText("value"), both.first,
                     LimitText(budget, both.second));
}

}  // namespace tacho
