// The value of a budget's statistic for one series, with what is known of its error.
#pragma once

#include <optional>

#include "common/status.h"
#include "server/judge/judge.h"

namespace tacho {

struct Estimate {
  double value = 0;           // in the base unit of the limit
  bool has_interval = false;  // then an absent end means: not bounded on that side
  std::optional<double> low;
  std::optional<double> high;
  double coverage = 1;  // of statistics over time: the share of the run they speak for
};

// Requires: the series has readings. A failure is the reason of NO_DATA.
Result<Estimate> EstimateOf(const Budget& budget, const RunFacts& run, const JudgedSeries& series,
                            const ReadingsOf& readings);

// An integer of 10^-decimals as a double, rounded once.
double ValueOf(std::int64_t value, int decimals);
double ValueOf(double value, int decimals);
// Of all readings; nullopt where there are none.
std::optional<double> MeanOf(const SeriesRollup& series, int decimals);

}  // namespace tacho
