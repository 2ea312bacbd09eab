// What a tegrastats line of any release says, and what it does not.
#include "collector/parse/tegrastats.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace tacho {
namespace {

using enum TegrastatsKind;

// Lines of our own, after the grammar; whoever reads a real log tests more in
// tegrastats_captures_test.cc.
constexpr std::string_view kOrinRoot =
    "11-02-2025 07:31:08 RAM 9120/62780MB (lfb 5x4MB) SWAP 12/31390MB (cached 3MB) "
    "CPU [7%@1190,off,0%@729] EMC_FREQ 4%@2133 GR3D_FREQ 31%@[408,612] NVENC 71%@166 NVDEC off "
    "PVA0_FREQ off APE 174 cpu@51.312C gpu@-0.5C VDD_GPU_SOC 3601mW/3120mW VDD_CPU_CV "
    "-8mW/12mW\n";

class TegrastatsTest : public ::testing::Test {
 protected:
  const TegrastatsLine& Parse(std::string text) {
    text_ = std::move(text);
    ParseTegrastats(text_, line_);
    return line_;
  }
  const TegrastatsReading* Find(TegrastatsKind kind, std::string_view name = "", int index = 0) {
    const auto found = std::ranges::find_if(line_.readings, [&](const TegrastatsReading& r) {
      return r.kind == kind && r.name == name && r.index == index;
    });
    return found == line_.readings.end() ? nullptr : &*found;
  }
  std::int64_t Value(TegrastatsKind kind, std::string_view name = "", int index = 0) {
    const TegrastatsReading* reading = Find(kind, name, index);
    EXPECT_TRUE(reading != nullptr && reading->why == Why::kPresent) << name << index;
    return reading == nullptr ? -1 : reading->value;
  }
  Why Absence(TegrastatsKind kind, std::string_view name = "", int index = 0) {
    const TegrastatsReading* reading = Find(kind, name, index);
    EXPECT_TRUE(reading != nullptr && reading->why != Why::kPresent) << name << index;
    return reading == nullptr ? Why::kPresent : reading->why;
  }

  std::string text_;
  TegrastatsLine line_;
};

TEST_F(TegrastatsTest, RootLineOfOrinIsReadWhole) {
  const TegrastatsLine& line = Parse(std::string(kOrinRoot));
  EXPECT_TRUE(line.is_sample);
  EXPECT_EQ(line.stamp, "11-02-2025 07:31:08");
  EXPECT_EQ(line.unknown_tokens, 0);
  EXPECT_EQ(line.bad_fields, 0);
  EXPECT_EQ(Value(kRamUsed), 9120LL << 20);
  EXPECT_EQ(Value(kRamTotal), 62780LL << 20);
  EXPECT_EQ(Value(kLargestFreeBlock), 4LL << 20);
  EXPECT_EQ(Value(kFreeBlocks), 5);
  EXPECT_EQ(Value(kSwapCached), 3LL << 20);
  EXPECT_EQ(Value(kCoreLoad, "", 0), 7);
  EXPECT_EQ(Value(kCoreFrequency, "", 0), 1'190'000'000);
  EXPECT_EQ(Absence(kCoreLoad, "", 1), Why::kGated);
  EXPECT_EQ(Absence(kCoreFrequency, "", 1), Why::kGated);
  EXPECT_EQ(Value(kCoreLoad, "", 2), 0);
  EXPECT_EQ(Value(kEmcLoad), 4);
  EXPECT_EQ(Value(kEmcFrequency), 2'133'000'000);
  EXPECT_EQ(Value(kGpuLoad), 31);
  EXPECT_EQ(Value(kGpuFrequency, "", 0), 408'000'000);
  EXPECT_EQ(Value(kGpuFrequency, "", 1), 612'000'000);
  EXPECT_EQ(Value(kEngineLoad, "NVENC"), 71);
  EXPECT_EQ(Value(kEngineFrequency, "NVENC"), 166'000'000);
  EXPECT_EQ(Absence(kEngineLoad, "NVDEC"), Why::kGated);
  EXPECT_EQ(Absence(kEngineFrequency, "PVA0"), Why::kGated);
  EXPECT_EQ(Value(kEngineFrequency, "APE"), 174'000'000);
  EXPECT_EQ(Value(kTemperature, "cpu"), 51'312);
  EXPECT_EQ(Value(kTemperature, "gpu"), -500);
  EXPECT_EQ(Value(kPower, "VDD_GPU_SOC"), 3601);
  EXPECT_EQ(Value(kPower, "VDD_CPU_CV"), -8);
}

TEST_F(TegrastatsTest, ClockWithoutLoadIsNoLoad) {
  Parse("RAM 1/2MB (lfb 1x4MB) GR3D_FREQ @[314,318,314] NVENC0_FREQ @0 VIC off\n");
  EXPECT_EQ(Absence(kGpuLoad), Why::kMissing);
  EXPECT_EQ(Value(kGpuFrequency, "", 1), 318'000'000);
  EXPECT_EQ(Value(kEngineFrequency, "NVENC0"), 0);
  EXPECT_EQ(Find(kEngineLoad, "NVENC0"), nullptr);
}

TEST_F(TegrastatsTest, MemoryLoadWithoutClockIsNotZeroButForbidden) {
  Parse("RAM 1/2MB (lfb 1x4MB) EMC_FREQ 0% GR3D_FREQ 0%\n");
  EXPECT_EQ(Absence(kEmcLoad), Why::kForbidden);
  EXPECT_EQ(Value(kGpuLoad), 0);
}

TEST_F(TegrastatsTest, ZoneOfUnpoweredBlockIsGated) {
  Parse("RAM 1/2MB (lfb 1x4MB) CV0@-256C CPU@42.5C\n");
  EXPECT_EQ(Absence(kTemperature, "CV0"), Why::kGated);
  EXPECT_EQ(Value(kTemperature, "CPU"), 42'500);
}

TEST_F(TegrastatsTest, PlaceholdersAndUnconnectedRailsAreLeftOut) {
  const TegrastatsLine& line =
      Parse("RAM 1/2MB (lfb 1x4MB) PMIC@100C NC 0mW/0mW VDDQ 301mW/301mW NC 0mW/0mW\n");
  EXPECT_EQ(Find(kTemperature, "PMIC"), nullptr);
  EXPECT_EQ(Find(kPower, "NC"), nullptr);
  EXPECT_EQ(Value(kPower, "VDDQ"), 301);
  EXPECT_EQ(line.ignored, 3);
  EXPECT_EQ(line.unknown_tokens + line.bad_fields, 0);
}

TEST_F(TegrastatsTest, FirstOfTwoReadingsOfOneNameCounts) {
  Parse("RAM 1/2MB (lfb 1x4MB) VIN 10/10 VIN 20/20\n");
  EXPECT_EQ(Value(kPower, "VIN"), 10);
  EXPECT_EQ(line_.ignored, 1);
}

TEST_F(TegrastatsTest, PowerLoadAndTemperatureMayShareAName) {
  Parse("RAM 1/2MB (lfb 1x4MB) CPU [5%@1190] GPU@30.5C CPU@31C GPU 463/460 CPU 618/600\n");
  EXPECT_EQ(Value(kPower, "GPU"), 463);
  EXPECT_EQ(Value(kPower, "CPU"), 618);
  EXPECT_EQ(Value(kTemperature, "CPU"), 31'000);
  EXPECT_EQ(Value(kCoreLoad), 5);
}

TEST_F(TegrastatsTest, PeaksOfNewReleasesAreNotStored) {
  Parse("RAM 1/2MB (lfb 1x4MB) cpu@51.9C/60C VDD_IN 5139mW/4800mW/9000mW\n");
  EXPECT_EQ(Value(kTemperature, "cpu"), 51'900);
  EXPECT_EQ(Value(kPower, "VDD_IN"), 5139);
  EXPECT_EQ(line_.readings.size(), 6u);
}

TEST_F(TegrastatsTest, OneClockForAllCoresOfOldReleases) {
  Parse("RAM 1/2MB (lfb 1x4MB) cpu [3%,off,2%]@204 EMC 7%@408 VDE 120 AVP 12%\n");
  EXPECT_EQ(Value(kCoreLoad, "", 2), 2);
  EXPECT_EQ(Value(kCoreFrequency, "", 2), 204'000'000);
  EXPECT_EQ(Absence(kCoreFrequency, "", 1), Why::kGated);
  EXPECT_EQ(Value(kEmcFrequency), 408'000'000);
  EXPECT_EQ(Value(kEngineFrequency, "VDE"), 120'000'000);
}

TEST_F(TegrastatsTest, ClockThatIsNotShownLeavesLoadsAlone) {
  Parse("RAM 1/2MB (lfb 1x4MB) cpu [3%,0%]@-1\n");
  EXPECT_EQ(Value(kCoreLoad, "", 1), 0);
  EXPECT_EQ(Find(kCoreFrequency), nullptr);
  EXPECT_EQ(line_.bad_fields, 0);
}

TEST_F(TegrastatsTest, SpaceBehindTheCommaOfCoresIsAccepted) {
  Parse("RAM 1/2MB (lfb 1x4MB) CPU [6%@1420, off, 1%@1420] GR3D_FREQ 3%\n");
  EXPECT_EQ(Value(kCoreLoad, "", 2), 1);
  EXPECT_EQ(Value(kGpuLoad), 3);
}

TEST_F(TegrastatsTest, UnknownTokenIsCountedAndHidesNothing) {
  Parse("RAM 1/2MB (lfb 1x4MB) QUANTUM flux{7} SYSRAM 34C APE 150 NVDLA0 OFF cpu@40C\n");
  EXPECT_EQ(line_.unknown_tokens, 6);
  EXPECT_EQ(Value(kEngineFrequency, "APE"), 150'000'000);
  EXPECT_EQ(Value(kTemperature, "cpu"), 40'000);
}

TEST_F(TegrastatsTest, BadFieldIsCountedAndHidesNothing) {
  Parse(
      "RAM 1x/2MB (lfb 3x4MB) SWAP 0/5MB (cached ?MB) CPU [5x%@1,7%@10] EMC_FREQ 2%%@7 "
      "GR3D_FREQ 4%@[1,z] MTS fg x% bg 2% cpu@4..0C VDD_A 1o/2 VDD_B 7/7\n");
  EXPECT_EQ(Find(kRamUsed), nullptr);
  EXPECT_EQ(Value(kFreeBlocks), 3);
  EXPECT_EQ(Value(kSwapTotal), 5LL << 20);
  EXPECT_EQ(Value(kCoreLoad, "", 1), 7);
  EXPECT_EQ(Value(kGpuLoad), 4);
  EXPECT_EQ(Value(kGpuFrequency, "", 0), 1'000'000);
  EXPECT_EQ(Value(kOptimiserLoad, "bg"), 2);
  EXPECT_EQ(Value(kPower, "VDD_B"), 7);
  EXPECT_EQ(line_.readings.size(), 11u);
  EXPECT_EQ(line_.bad_fields + line_.unknown_tokens, 9);
}

TEST_F(TegrastatsTest, NumberCutByTheEndOfTheDataIsNotBelieved) {
  Parse("RAM 1/2MB (lfb 1x4MB) VDD_IN 920/920 VDD_CPU 613/2");
  EXPECT_EQ(Value(kPower, "VDD_IN"), 920);
  EXPECT_EQ(Find(kPower, "VDD_CPU"), nullptr);
  EXPECT_GE(line_.bad_fields, 1);
}

TEST_F(TegrastatsTest, EveryCutOfALineGivesOnlyWhatTheWholeLineGives) {
  TegrastatsLine whole;
  const std::string text(kOrinRoot);
  ParseTegrastats(text, whole);
  for (std::size_t size = 0; size < text.size(); ++size) {
    Parse(text.substr(0, size));
    for (const TegrastatsReading& reading : line_.readings) {
      const bool is_known = std::ranges::any_of(whole.readings, [&](const auto& r) {
        return r.kind == reading.kind && r.name == reading.name && r.index == reading.index &&
               r.value == reading.value && r.why == reading.why;
      });
      EXPECT_TRUE(is_known) << text.substr(0, size);
    }
  }
}

TEST_F(TegrastatsTest, CoresThatNeverCloseWereCut) {
  Parse("RAM 1/2MB (lfb 1x4MB) CPU [7%@1190,off,0%@7 EMC_FREQ 4%@2133\n");
  EXPECT_EQ(Find(kCoreLoad, "", 0), nullptr);
  EXPECT_EQ(line_.bad_fields, 1);
  EXPECT_EQ(Value(kEmcLoad), 4);
}

TEST_F(TegrastatsTest, PrefixOfLoggersAndCarriageReturnsAreSkipped) {
  Parse("[2026-01-02 03:04:05] robot7 : RAM 10/20MB (lfb 1x512kB) VDD_IN 5/5 \r\n");
  EXPECT_TRUE(line_.is_sample);
  EXPECT_EQ(line_.unknown_tokens, 0);
  EXPECT_EQ(Value(kLargestFreeBlock), 512LL << 10);
  EXPECT_EQ(Value(kPower, "VDD_IN"), 5);
}

TEST_F(TegrastatsTest, BracketsMayTouchTheMemoryOfTheVideoEngine) {
  Parse("RAM 1/2MB (lfb 1x4MB) IRAM 8/252kB(lfb 244kB) CPU [0%@102]\n");
  EXPECT_EQ(Value(kIramUsed), 8LL << 10);
  EXPECT_EQ(Value(kIramTotal), 252LL << 10);
  EXPECT_EQ(Value(kCoreLoad), 0);
  EXPECT_EQ(line_.bad_fields, 0);
}

TEST_F(TegrastatsTest, RestOfALineIsReadButItsFirstWordIsNot) {
  Parse("VDD_IN 920/920 cpu@40C EMC_FREQ 3%@204\n");
  EXPECT_EQ(Find(kPower, "VDD_IN"), nullptr);
  EXPECT_EQ(Value(kTemperature, "cpu"), 40'000);
  EXPECT_EQ(Value(kEmcLoad), 3);
}

TEST_F(TegrastatsTest, LineWithoutAnyTokenThatOnlyTegrastatsHasIsNoneAndNamesNothing) {
  for (const char* text :
       {"\x01\xff N@3C \x80\n", "x N@3C\n", "mail root@4C today\n", "x VDD_IN 920/920 cpu@40C\n",
        "page 3/4 b 5/6\n", "x SE 5 VI 7\n", "11-02-2025 07:31:08 N@3C FOO 3%\n", "RAM N@3C\n",
        "RAM ?/?MB A 5/5\n"}) {
    EXPECT_FALSE(Parse(text).is_sample) << text;
    EXPECT_TRUE(line_.readings.empty()) << text;
    EXPECT_EQ(line_.rails, 0) << text;
  }
  for (const char* text : {"x SWAP 1/2MB N@3C\n", "x EMC_FREQ 3%@204 N@3C\n",
                           "x GR3D_FREQ 3% N@3C\n", "x CPU [3%@204] N@3C\n"}) {
    EXPECT_TRUE(Parse(text).is_sample) << text;
    EXPECT_EQ(Value(kTemperature, "N"), 3000) << text;
  }
}

TEST_F(TegrastatsTest, WhatIsNoSampleIsSaidToBeNone) {
  for (const char* text : {"WARNING: not invoking as root\n", "ERROR: failed to read /proc/stat\n",
                           "\n", "", "Mon Feb 2 10:00:00 UTC 2026\n", "# RAM 1/2MB (lfb 1x4MB)\n",
                           "Unknown command: -n. Please try again or see --help\n"}) {
    EXPECT_FALSE(Parse(text).is_sample) << text;
    EXPECT_TRUE(line_.readings.empty()) << text;
  }
}

TEST_F(TegrastatsTest, MeansAtTheirValuesAfterOthersAreARestart) {
  TegrastatsRestarts restarts;
  EXPECT_FALSE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB) A 5/5 B 0/0\n")));
  EXPECT_FALSE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB) A 7/6 B 0/0\n")));
  EXPECT_TRUE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB) A 9/9 B 1/1\n")));
  EXPECT_FALSE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB) A 9/9 B 1/1\n")));
}

TEST_F(TegrastatsTest, RailsAtZeroAndLinesWithoutRailsProveNoRestart) {
  TegrastatsRestarts restarts;
  EXPECT_FALSE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB) A 7/6\n")));
  EXPECT_FALSE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB)\n")));
  EXPECT_FALSE(restarts.IsRestart(Parse("RAM 1/2MB (lfb 1x4MB) A 0/0\n")));
}

TEST_F(TegrastatsTest, ReadingsAreLimitedAndTheRestIsCounted) {
  std::string text = "RAM 1/2MB (lfb 1x4MB) CPU [";
  for (int i = 0; i < 2000; ++i) {
    text += "1%,";
  }
  Parse(text + "1%]\n");
  EXPECT_EQ(line_.readings.size(), TegrastatsLine::kMaxReadings);
  EXPECT_GT(line_.bad_fields, 900);
}

}  // namespace
}  // namespace tacho
