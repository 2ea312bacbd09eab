// How sure a quantile or mean is: confidence intervals of 95 %.
#pragma once

#include <cstdint>
#include <optional>

#include "common/histogram.h"

namespace tacho {

// Ranks (1 to count) whose readings enclose the q-quantile with 95 %, by the binomial distribution
// of how many readings fall below it. Absent: so few readings that this side has no bound.
struct RankInterval {
  std::optional<std::uint64_t> low;
  std::optional<std::uint64_t> high;
};
// Requires: 0 < q < 1, count > 0.
RankInterval QuantileRanks(double q, std::uint64_t count);

}  // namespace tacho
