// One series row by row, and the statistics that need the order of rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/codec/block.h"
#include "common/time.h"

namespace tacho {

// A reading, or a second's worth of them folded on the robot.
struct SeriesReading {
  BootTime at;
  std::int64_t last = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  double mean = 0;
};

// The rows of `block` in [from, to) that say something of `channel`, appended to `to_here`.
void CollectReadings(const Block& block, ChannelId channel, BootTime from, BootTime to,
                     std::vector<SeriesReading>& to_here);
// By time, then value: the order in which records arrived must not show.
void SortReadings(std::vector<SeriesReading>& readings);

// A value over time, and the time it speaks for.
struct OverTime {
  double value = 0;
  Nanos covered{0};
};

// Two readings further apart than this have a gap between them.
Nanos GapAfter(Nanos period);

// Sum of value x time by trapezoids, gaps left out. nullopt: no two readings without a gap.
std::optional<OverTime> IntegralOf(std::span<const SeriesReading> readings, Nanos period);
// Growth of a counter per second; a smaller value is a reset, after which it counts from 0.
std::optional<OverTime> RateOf(std::span<const SeriesReading> readings);
// The highest level that was held for `hold` without a gap (or, where !is_upper, the lowest that
// nothing rose above for as long). nullopt: no stretch is that long.
std::optional<std::int64_t> HeldLevel(std::span<const SeriesReading> readings, Nanos hold,
                                      Nanos period, bool is_upper);

}  // namespace tacho
