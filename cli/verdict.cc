// What a verdict means to the command line: its order, its colour and the exit code of `check`.
#include "cli/verdict.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/budget_words.h"
#include "cli/exit_code.h"
#include "cli/values.h"

namespace tacho {
namespace {

const std::vector<TableColumn>& BudgetColumns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "budget"},
      {.name = "verdict"},
      {.name = "value", .is_right = true},
      {.name = "limit", .is_right = true},
      {.name = "comparison", .where = Where::kDataOnly},
      {.name = "low", .where = Where::kDataOnly},
      {.name = "high", .where = Where::kDataOnly},
      {.name = "interval", .rank = 5, .is_right = true, .where = Where::kTextOnly},
      {.name = "n", .rank = 4, .is_right = true},
      {.name = "coverage", .rank = 1, .is_right = true},
      {.name = "metric", .rank = 6, .is_elastic = true},
      {.name = "instance", .rank = 3, .is_elastic = true},
      {.name = "statistic", .rank = 2},
      {.name = "unit", .where = Where::kDataOnly},
      {.name = "expected", .where = Where::kDataOnly},
      {.name = "reason", .where = Where::kDataOnly},
      {.name = "for", .where = Where::kDataOnly},
  };
  return kColumns;
}

TableCell ValueCell(const Json& budget) {
  TableCell cell = QuantityCell(budget["value"], budget["unit"].AsText());
  if (!cell.is_absent && budget["limit"].is_number()) cell.shown = ValueAgainstLimit(budget).value;
  return cell;
}

TableCell LimitCell(const Json& budget) {
  TableCell cell = QuantityCell(budget["limit"], budget["unit"].AsText());
  if (cell.is_absent) return cell;
  if (budget["value"].is_number()) {
    cell.shown = ValueAgainstLimit(budget).limit;
  } else {
    cell.shown = fmt::format("{} {}", budget["comparison"].AsText("?"), cell.shown);
  }
  return cell;
}

// "59 W .. 61 W"; ">= 59 W" where too few readings bound the other side.
TableCell IntervalCell(const Json& budget) {
  const std::string unit = budget["unit"].AsText();
  const Json& low = budget["low"];
  const Json& high = budget["high"];
  if (!low.is_number() && !high.is_number()) return Absent();
  if (!high.is_number()) return TextCell(">= " + FormatQuantity(low.AsDouble(), unit));
  if (!low.is_number()) return TextCell("<= " + FormatQuantity(high.AsDouble(), unit));
  const auto [from, to] = FormatApart(low.AsDouble(), high.AsDouble(), unit);
  return TextCell(fmt::format("{} .. {}", from, to));
}

TableCell StatisticCell(const Json& budget) {
  TableCell cell = WordCell(budget["statistic"]);
  if (!cell.is_absent) cell.shown = StatisticText(budget);
  return cell;
}

// How long it must last, in seconds.
TableCell HeldForCell(const Json& budget) {
  if (budget["for_ns"].AsDouble() <= 0) return Absent();
  return TextCell(FormatExact(budget["for_ns"].AsDouble() / 1e9));
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
          StatisticCell(budget),
          WordCell(budget["unit"]),
          CountCell(budget["expected"]),
          WordCell(budget["reason"]),
          HeldForCell(budget)};
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
  }
  for (const JudgedBudget& budget : ByBudget(budgets)) {
    for (const Json* row : budget.rows) {
      const std::string reason = (*row)["reason"].AsText();
      if (reason.empty() || ParseVerdict((*row)["verdict"].AsText()) == VerdictRank::kPass)
        continue;
      const std::string instance = (*row)["instance"].AsText();
      const bool is_one_of_many = budget.rows.size() > 1 && !instance.empty();
      section.lines.push_back(fmt::format(
          "{}: {}", is_one_of_many ? budget.name + ' ' + instance : budget.name, reason));
    }
  }
  return section;
}

}  // namespace tacho
