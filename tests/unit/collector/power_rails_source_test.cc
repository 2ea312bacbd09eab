// Power, voltage and current of rails.
#include <gtest/gtest.h>

#include "collector/source.h"
#include "tests/support/recorded_sink.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
extern const SourceKind kPowerRailsSource;
namespace {

TEST(PowerRailsSourceTest, PowerOfAnIna3221IsVoltsTimesAmperes) {
  RecordedSink seen;
  auto source = kPowerRailsSource.open(FixtureBoard("orin-agx-sysfs"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  const std::map<std::string, std::int64_t> expected = {
      {"power_rail/VDD_GPU_SOC", 3594},        // 19.968 V x 0.180 A
      {"power_rail/VDD_CPU_CV", -399},         // an idle rail reads below zero
      {"power_rail/VIN_SYS_5V0", 4585},        //
      {"power_rail/VDDQ_VDD2_1V8AO", 698},     //
      {"rail_voltage/VDD_GPU_SOC", 19'968},    //
      {"rail_voltage/VDD_CPU_CV", 19'968},     //
      {"rail_voltage/VIN_SYS_5V0", 4984},      //
      {"rail_voltage/VDDQ_VDD2_1V8AO", 4992},  //
      {"rail_current/VDD_GPU_SOC", 180},       //
      {"rail_current/VDD_CPU_CV", -20},        //
      {"rail_current/VIN_SYS_5V0", 920},       //
      {"rail_current/VDDQ_VDD2_1V8AO", 140},
  };
  EXPECT_EQ(sweep.values, expected) << "no unconnected inputs, no shunt voltages";
  EXPECT_TRUE(sweep.absent.empty());
}

TEST(PowerRailsSourceTest, ChipsThatMeasurePowerAreBelievedAndUsbContractsAreNot) {
  RecordedSink seen;
  auto source = kPowerRailsSource.open(FixtureBoard("thor-agx-sysfs"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.values.at("power_rail/VIN"), 20'126);
  EXPECT_EQ(sweep.values.at("rail_voltage/VIN"), 20'048);
  EXPECT_EQ(sweep.values.at("power_rail/VDD_GPU"), 1963);
  EXPECT_EQ(sweep.values.size(), 12u);
}

TEST(PowerRailsSourceTest, PowerThatADriverAveragesIsARail) {
  RecordedSink seen;
  auto source = kPowerRailsSource.open(FixtureBoard("plain-linux"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.values, (std::map<std::string, std::int64_t>{{"power_rail/PPT", 31'000}}));
}

TEST(PowerRailsSourceTest, NamesStayWhenTheKernelNumbersChipsAnew) {
  for (const bool is_swapped : {false, true}) {
    BoardFolder board;
    const std::string first = is_swapped ? "1" : "0";
    const std::string second = is_swapped ? "0" : "1";
    for (const auto& [number, place, current] :
         {std::tuple{first, "1-0040", "100"}, std::tuple{second, "1-0041", "200"}}) {
      const std::string chip = "sys/class/hwmon/hwmon" + number + "/";
      board.With("sys/bus/" + std::string(place) + "/name", "ina219\n")
          .With(chip + "name", "ina219\n")
          .With(chip + "in1_input", "1000\n")
          .With(chip + "curr1_input", current);
      std::filesystem::create_symlink(board.root().Of("sys/bus/" + std::string(place)),
                                      board.root().Of(chip + "device"));
    }
    RecordedSink seen;
    auto source = kPowerRailsSource.open(board.root(), seen);
    ASSERT_TRUE(source.ok());
    const RecordedSweep sweep = seen.Sample(**source);
    EXPECT_EQ(sweep.values.at("power_rail/ina219"), 100);
    EXPECT_EQ(sweep.values.at("power_rail/ina219#2"), 200);
  }
}

TEST(PowerRailsSourceTest, FailureOfOneInputLeavesTheOtherRailsAlive) {
  BoardFolder board;
  const std::string chip = "sys/class/hwmon/hwmon0/";
  board.With(chip + "name", "ina3221\n")
      .With(chip + "in1_label", "A\n")
      .With(chip + "in1_input", "5000\n")
      .WithUnreadable(chip + "curr1_input")
      .With(chip + "in2_label", "B\n")
      .With(chip + "in2_input", "5000\n")
      .With(chip + "curr2_input", "10\n")
      .With(chip + "in3_input", "5000\n")
      .With(chip + "curr3_input", "20\n");
  RecordedSink seen;
  auto source = kPowerRailsSource.open(board.root(), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.absent.at("power_rail/A"), Why::kBroken);
  EXPECT_EQ(sweep.absent.at("rail_current/A"), Why::kBroken);
  EXPECT_EQ(sweep.values.at("rail_voltage/A"), 5000);
  EXPECT_EQ(sweep.values.at("power_rail/B"), 50);
  EXPECT_EQ(sweep.values.at("power_rail/channel3"), 100);
}

TEST(PowerRailsSourceTest, BoardWithoutMonitorIsNotAnError) {
  RecordedSink seen;
  auto source = kPowerRailsSource.open(FixtureBoard("ti-j721e"), seen);
  ASSERT_NE(source.error(), nullptr);
  EXPECT_EQ(source.error()->code(), Code::kNotFound);
}

}  // namespace
}  // namespace tacho
