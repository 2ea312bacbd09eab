// Limits learnt from runs that went well (docs/budgets.md). Pure.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/judge/budget.h"
#include "server/judge/judge.h"

namespace tacho {

// One series of one run, by the statistic that suits it.
struct LearntValue {
  SeriesKey key;
  Statistic statistic{};
  bool is_upper = true;  // more is worse
  double value = 0;
  double far = 0;  // the end of its interval that is nearer to a limit
  double coverage = 0;
  std::uint64_t count = 0;  // of its readings
};

// What is kept of a run that went well.
struct LearntRun {
  std::string name;
  std::string robot;
  std::optional<std::string> model;
  std::optional<std::string> power_mode;
  bool is_throttling_known = false;  // a series of it would have told
  std::vector<LearntValue> values;
};

// What was not used, and why.
struct LeftOut {
  std::string what;
  std::string why;
  auto operator<=>(const LeftOut&) const = default;
};

// A series that gives no value goes to `left_out`.
LearntRun LearnFrom(std::string name, const RunFacts& facts, std::span<const JudgedSeries> series,
                    std::set<LeftOut>& left_out);

struct SuggestionRules {
  double margin = 0.1;  // of the farthest value
  std::size_t min_runs = 5;
  double min_coverage = 0.9;  // of a series, for its run to count
};

struct SuggestedBudget {
  Budget budget;
  std::string limit_text;  // "27.3 W"
  std::size_t runs = 0;    // that measured the series well enough
  double lowest = 0;       // of their values
  double highest = 0;
  double least_coverage = 1;
  std::uint64_t fewest_readings = 0;  // of one run; few do not bound a quantile
};

struct Suggestion {
  std::vector<SuggestedBudget> budgets;
  std::size_t runs = 0;              // that were learnt from
  std::size_t throttling_known = 0;  // of them
  std::vector<LeftOut> left_out;     // runs and series
};

// Robots of one model, else each robot by itself, in the power mode of most of their runs. A limit
// is the farthest value of those runs and the margin, rounded outwards: none of them breaks it.
// Fewer runs than `min_runs` give no limit, and are left out as "n=2 of 5 needed".
Suggestion SuggestBudgets(std::span<const LearntRun> runs, const SuggestionRules& rules);

}  // namespace tacho
