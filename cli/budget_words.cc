// Budgets in words: a budget that applies to several series is judged once for each, and is still
// one budget.
#include "cli/budget_words.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

#include "cli/values.h"

namespace tacho {
namespace {

VerdictRank RankOf(const Json& judgement) {
  return ParseVerdict(judgement["verdict"].AsText());
}

// What one row says: its numbers, its reason, or both.
std::string RowText(const Json& row) {
  std::string reason = row["reason"].AsText();
  const VerdictRank verdict = RankOf(row);
  if (!row["value"].is_number()) return reason.empty() ? "no value" : reason;
  if (verdict == VerdictRank::kNotJudged && !reason.empty()) return reason;
  const ValueAndLimit both = ValueAgainstLimit(row);
  std::string text = fmt::format("{} {}, limit {}", StatisticText(row), both.value, both.limit);
  if (verdict == VerdictRank::kMarginal && !reason.empty()) text += ": " + reason;
  return text;
}

}  // namespace

std::vector<JudgedBudget> ByBudget(const Json::Array& judgements) {
  std::vector<JudgedBudget> budgets;
  for (const Json& judgement : judgements) {
    const std::string name = judgement["budget"].AsText("-");
    auto same = std::find_if(budgets.begin(), budgets.end(),
                             [&name](const JudgedBudget& b) { return b.name == name; });
    if (same == budgets.end()) same = budgets.insert(same, {.name = name});
    same->rows.push_back(&judgement);
    same->worst = std::max(same->worst, RankOf(judgement));
    if (RankOf(judgement) == VerdictRank::kNotJudged) same->is_whole = false;
  }
  return budgets;
}

std::string Describe(const JudgedBudget& budget) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  std::size_t found = 0;
  for (const Json* row : budget.rows) {
    if (RankOf(*row) != budget.worst || ++found > kMostNamed) continue;
    if (found > 1) text += "; ";
    if (budget.rows.size() > 1) text += (*row)["instance"].AsText("-") + ": ";
    text += RowText(*row);
  }
  if (found > kMostNamed) text += fmt::format("; and {} more", found - kMostNamed);
  return fmt::format("{} ({})", budget.name, text);
}

std::string StatisticText(const Json& judgement) {
  std::string text = judgement["statistic"].AsText("value");
  const double seconds = judgement["for_ns"].AsDouble() / 1e9;
  if (seconds > 0) text += " for " + FormatDuration(seconds);
  return text;
}

ValueAndLimit ValueAgainstLimit(const Json& judgement) {
  const auto [value, limit] = FormatApart(
      judgement["value"].AsDouble(), judgement["limit"].AsDouble(), judgement["unit"].AsText());
  return {value, fmt::format("{} {}", judgement["comparison"].AsText("?"), limit)};
}

}  // namespace tacho
