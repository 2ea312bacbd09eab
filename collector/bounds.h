// What a quantity can be: a number beyond it is no measurement, whoever gave it.
#pragma once

#include <cstdint>
#include <limits>

#include "common/metric.h"

namespace tacho {

struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr bool Has(std::int64_t value) const { return value >= least && value <= most; }
};

namespace bounds {

// In thousandths of the unit. Wide: a limit of what can be on a robot, none of what is healthy.
struct Range {
  std::int64_t least;
  std::int64_t most;
};

constexpr Range RangeOf(Unit unit) {
  constexpr std::int64_t kThousand = 1000;
  constexpr std::int64_t kNothing = 0;
  switch (unit) {
    case Unit::kCelsius:
      return {-273'150, 1000 * kThousand};  // from absolute zero to red heat
    case Unit::kWatts:
      return {-100'000 * kThousand, 100'000 * kThousand};  // below zero: a rail that idles or feeds
    case Unit::kVolts:
      return {-1 * kThousand, 2000 * kThousand};  // below zero: the offset of a rail that is off
    case Unit::kAmperes:
      return {-10'000 * kThousand, 10'000 * kThousand};
    case Unit::kHertz:
      return {kNothing, 1'000'000'000'000 * kThousand};
    case Unit::kBytes:
      return {kNothing, (std::int64_t{1} << 50) * kThousand};  // a pebibyte
    case Unit::kRatio:
      return {kNothing, 10 * kThousand};  // loads that are differences overshoot
    case Unit::kSeconds:
    case Unit::kCount:
      return {kNothing, 1'000'000'000'000'000 * kThousand};
    case Unit::kJoules:
    case Unit::kNone:
      break;
  }
  return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
}

// Ends at the limits of the type.
constexpr std::int64_t Scaled(std::int64_t thousandths, int decimals) {
  for (; decimals > 3; --decimals) {
    std::int64_t scaled = 0;
    if (__builtin_mul_overflow(thousandths, std::int64_t{10}, &scaled)) {
      return thousandths < 0 ? std::numeric_limits<std::int64_t>::min()
                             : std::numeric_limits<std::int64_t>::max();
    }
    thousandths = scaled;
  }
  for (; decimals < 3; ++decimals)
    thousandths /= 10;
  return thousandths;
}

}  // namespace bounds

// The one place that says what a value of `unit`, in 10^-decimals of it, can be.
constexpr Bounds BoundsOf(Unit unit, int decimals) {
  const bounds::Range range = bounds::RangeOf(unit);
  if (range.least == std::numeric_limits<std::int64_t>::min()) return {};
  return {bounds::Scaled(range.least, decimals), bounds::Scaled(range.most, decimals)};
}

}  // namespace tacho
