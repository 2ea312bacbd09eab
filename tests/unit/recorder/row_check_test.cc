// Values that their quantity cannot have are absent, from whatever they come.
#include "daemon/recorder/row_check.h"

#include <gtest/gtest.h>
#include <limits>

#include "collector/metrics.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Bounds Of(const MetricDef& metric) {
  return BoundsOf(metric.unit, metric.decimals);
}

TEST(BoundsTest, WhatAQuantityCanBeIsBelievedAndNothingElse) {
  struct Case {
    const MetricDef& metric;
    std::int64_t least;
    std::int64_t most;
  };
  for (const Case& each : {
           Case{metrics::kZoneTemperature, -273'150, 1'000'000},
           Case{metrics::kPowerRail, -100'000'000, 100'000'000},
           Case{metrics::kRailVoltage, -1000, 2'000'000},
           Case{metrics::kRailCurrent, -10'000'000, 10'000'000},
           Case{metrics::kCpuLoad, 0, 100'000},
           Case{metrics::kCoreLoad, 0, 1000},
           Case{metrics::kCoreFrequency, 0, 1'000'000'000'000},
           Case{metrics::kMemoryUsed, 0, std::int64_t{1} << 50},
           Case{metrics::kFreeBlocks, 0, 1'000'000'000'000'000},
       }) {
    const Bounds bounds = Of(each.metric);
    EXPECT_EQ(bounds.least, each.least) << each.metric.name;
    EXPECT_EQ(bounds.most, each.most) << each.metric.name;
    for (const std::int64_t value : {kMin, kMax, each.least - 1, each.most + 1}) {
      EXPECT_FALSE(bounds.Has(value)) << each.metric.name << " " << value;
    }
    EXPECT_TRUE(bounds.Has(each.least) && bounds.Has(each.most)) << each.metric.name;
  }
}

TEST(BoundsTest, UnitOfNoKnownLimitTakesAll) {
  EXPECT_TRUE(BoundsOf(Unit::kNone, 0).Has(kMin));
  EXPECT_TRUE(BoundsOf(Unit::kSeconds, 9).Has(kMax)) << "the limit is beyond the type's";
  EXPECT_FALSE(BoundsOf(Unit::kSeconds, 9).Has(-1));
}

Dictionary TwoZones() {
  Dictionary dictionary;
  for (std::uint32_t i = 0; i < 2; ++i) {
    dictionary.channels.push_back({.id = ChannelId{i},
                                   .group = GroupId{0},
                                   .metric = "thermal_zone_temperature",
                                   .instance = std::to_string(i),
                                   .unit = Unit::kCelsius,
                                   .decimals = 3,
                                   .shape = Shape::kGauge,
                                   .help = ""});
  }
  return dictionary;
}

TEST(RowCheckTest, CellThatCannotBeIsUnparsableAndCostsNoOther) {
  RowCheck check;
  check.Learn(TwoZones());
  const Row row = RowAt(1, {Value(0, kMin), Value(1, 48'250)});
  EXPECT_EQ(check.Checked(row), RowAt(1, {Absent(0, Why::kUnparsable), Value(1, 48'250)}));
  const Row other = RowAt(2, {Value(0, 41'000), Value(1, 1'000'000'000'000'000)});
  EXPECT_EQ(check.Checked(other), RowAt(2, {Value(0, 41'000), Absent(1, Why::kUnparsable)}));
}

TEST(RowCheckTest, RowThatCanBeIsNotCopied) {
  RowCheck check;
  check.Learn(TwoZones());
  const Row row = RowAt(1, {Absent(0, Why::kGated), Value(1, -273'150)});
  EXPECT_EQ(&check.Checked(row), &row);
}

}  // namespace
}  // namespace tacho
