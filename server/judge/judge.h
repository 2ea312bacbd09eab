// Judging: one run against one budget, in the order of docs/judging.md. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "server/judge/budget.h"
#include "server/judge/readings.h"
#include "server/judge/rollup.h"

namespace tacho {

enum class BudgetVerdict : std::uint8_t {
  kPass,
  kMarginal,
  kInvalid,
  kNoData,
  kFail
};  // ever worse
std::string_view NameOf(BudgetVerdict verdict);
// The worst of them; kNoData where there is none.
BudgetVerdict WorstOf(std::span<const BudgetVerdict> verdicts);

// What is known of a run besides its values.
struct RunFacts {
  std::string robot;
  std::optional<std::string> model;      // absent: the robot did not say
  std::vector<std::string> power_modes;  // distinct ones of its dictionaries
  bool has_unsaid_power_mode = false;    // a dictionary that names none
  std::vector<std::string> throttles;    // details of throttle events inside the run
  std::vector<std::string> clock_steps;  // of clock steps
  Nanos duration{0};
};

struct JudgedSeries {
  SeriesKey key;
  SeriesRollup rollup;
  std::uint64_t expected = 0;
  Nanos period{0};  // intended distance of two readings
  double coverage() const;
};

// A budget's word on one series.
struct Judgement {
  std::string budget;
  std::string metric;
  std::string instance;
  Statistic statistic{};
  Nanos held_for{0};            // of a max or min that must hold so long
  std::optional<double> value;  // in the limit's base unit
  std::optional<double> low;    // 95 % confidence interval, where there is one
  std::optional<double> high;
  double limit = 0;
  bool is_upper = true;
  std::string unit;
  BudgetVerdict verdict = BudgetVerdict::kNoData;
  std::string reason;  // empty for a plain PASS or FAIL
  std::uint64_t count = 0;
  std::uint64_t expected = 0;
  double coverage = 0;
};

// Rows of a series in order of time, for the statistics that need them.
using ReadingsOf = std::function<Result<std::vector<SeriesReading>>(const SeriesKey&)>;

// Why the budget is not for this run ("it is for robots rb1*"); empty where it is.
std::string WhyNotFor(const Budget& budget, const RunFacts& run);
// One judgement per matching series; where none matches, one NO_DATA. Requires: WhyNotFor is empty.
std::vector<Judgement> Judge(const Budget& budget, const RunFacts& run,
                             std::span<const JudgedSeries> series, const ReadingsOf& readings);

}  // namespace tacho
