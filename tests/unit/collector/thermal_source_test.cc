// Temperatures of thermal zones.
#include <gtest/gtest.h>

#include "collector/source.h"
#include "tests/support/recorded_sink.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
extern const SourceKind kThermalSource;
namespace {

TEST(ThermalSourceTest, ZonesAreNamedByTypeAndReadInThousandths) {
  RecordedSink seen;
  auto source = kThermalSource.open(FixtureBoard("orin-agx-sysfs"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.values.size(), 10u);
  EXPECT_EQ(sweep.values.at("thermal_zone_temperature/cpu-thermal"), 51'218);
  EXPECT_EQ(sweep.values.at("thermal_zone_temperature/iwlwifi_1"), 44'000);
  EXPECT_EQ(seen.decimals("thermal_zone_temperature/cpu-thermal"), 3);
}

TEST(ThermalSourceTest, ZoneOfAnUnpoweredBlockIsGatedAndAPlaceholderIsNoZone) {
  RecordedSink seen;
  auto source = kThermalSource.open(FixtureBoard("xavier-nx"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.absent.at("thermal_zone_temperature/GPU-therm"), Why::kGated);
  EXPECT_EQ(sweep.values.size(), 4u);
  EXPECT_FALSE(sweep.values.contains("thermal_zone_temperature/PMIC-Die"));
}

TEST(ThermalSourceTest, ZonesOfOneTypeAreToldApart) {
  RecordedSink seen;
  auto source = kThermalSource.open(FixtureBoard("plain-linux"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.values.at("thermal_zone_temperature/acpitz"), 27'800);
  EXPECT_EQ(sweep.values.at("thermal_zone_temperature/acpitz#2"), 29'800);
}

TEST(ThermalSourceTest, FailureCostsThatZoneOnly) {
  BoardFolder board;
  board.With("sys/class/thermal/thermal_zone0/type", "a\n")
      .WithUnreadable("sys/class/thermal/thermal_zone0/temp")
      .With("sys/class/thermal/thermal_zone1/type", "b\n")
      .With("sys/class/thermal/thermal_zone1/temp", "off\n")
      .With("sys/class/thermal/thermal_zone2/type", "c\n")
      .With("sys/class/thermal/thermal_zone2/temp", "-1500\n")
      .With("sys/class/thermal/thermal_zone3/type", "d\n");
  RecordedSink seen;
  auto source = kThermalSource.open(board.root(), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.absent.at("thermal_zone_temperature/a"), Why::kBroken);
  EXPECT_EQ(sweep.absent.at("thermal_zone_temperature/b"), Why::kUnparsable);
  EXPECT_EQ(sweep.values.at("thermal_zone_temperature/c"), -1500);
  EXPECT_EQ(seen.names().size(), 3u);
}

TEST(ThermalSourceTest, BoardWithoutZonesIsNotAnError) {
  RecordedSink seen;
  auto source = kThermalSource.open(SystemRoot{"/nonexistent"}, seen);
  ASSERT_NE(source.error(), nullptr);
  EXPECT_EQ(source.error()->code(), Code::kNotFound);
}

}  // namespace
}  // namespace tacho
