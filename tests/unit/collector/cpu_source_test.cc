// Loads and clocks of cores.
#include <gtest/gtest.h>

#include "collector/source.h"
#include "tests/support/recorded_sink.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
extern const SourceKind kCpuSource;
namespace {

constexpr std::string_view kStat = "proc/stat";

class CpuSourceTest : public ::testing::Test {
 protected:
  CpuSourceTest() {
    for (const char* core : {"cpu0", "cpu1"}) {
      board_.With("sys/devices/system/cpu/" + std::string(core) + "/cpufreq/scaling_cur_freq",
                  "1420800\n");
    }
    board_.With("sys/devices/system/cpu/cpufreq/policy0/x", "").With(kStat, kBefore);
    auto source = kCpuSource.open(board_.root(), seen_);
    EXPECT_TRUE(source.ok());
    source_ = *std::move(source);
  }
  RecordedSweep Sample() { return seen_.Sample(*source_); }

  static constexpr std::string_view kBefore =
      "cpu  100 0 0 300 0 0 0 0\ncpu0 50 0 0 150 0 0 0 0\ncpu1 50 0 0 150 0 0 0 0\nintr 1\n";
  static constexpr std::string_view kAfter =
      "cpu  150 0 0 450 0 0 0 0\ncpu0 97 0 0 203 0 0 0 0\ncpu1 53 0 0 247 0 0 0 0\nintr 1\n";

  BoardFolder board_;
  RecordedSink seen_;
  std::unique_ptr<Source> source_;
};

TEST_F(CpuSourceTest, LoadIsTheBusyShareBetweenTwoSamples) {
  const RecordedSweep first = Sample();
  EXPECT_EQ(first.absent.at("cpu_load"), Why::kMissing);
  EXPECT_EQ(first.absent.at("cpu_core_load/cpu1"), Why::kMissing);
  EXPECT_EQ(first.values.at("cpu_core_frequency/cpu0"), 1'420'800'000);
  board_.With(kStat, kAfter);
  const RecordedSweep second = Sample();
  EXPECT_EQ(second.values.at("cpu_load"), 2500);
  EXPECT_EQ(second.values.at("cpu_core_load/cpu0"), 47);
  EXPECT_EQ(second.values.at("cpu_core_load/cpu1"), 3);
  EXPECT_EQ(Sample().absent.at("cpu_load"), Why::kMissing) << "no tick has passed";
}

TEST_F(CpuSourceTest, CoreThatIsOffIsGatedAndStartsAnewWhenItComesBack) {
  Sample();
  board_.With(kStat, "cpu  150 0 0 450 0 0 0 0\ncpu0 97 0 0 203 0 0 0 0\nintr 1\n");
  const RecordedSweep off = Sample();
  EXPECT_EQ(off.absent.at("cpu_core_load/cpu1"), Why::kGated);
  EXPECT_EQ(off.absent.at("cpu_core_frequency/cpu1"), Why::kGated);
  EXPECT_EQ(off.values.at("cpu_core_load/cpu0"), 47);
  // A new file behind the old name, as after the kernel brought the core back.
  constexpr const char* kClock = "sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq";
  board_.Without(kClock).With(kClock, "729600\n");
  board_.With(kStat, kAfter);
  const RecordedSweep back = Sample();
  EXPECT_EQ(back.absent.at("cpu_core_load/cpu1"), Why::kMissing);
  EXPECT_EQ(back.values.at("cpu_core_frequency/cpu1"), 729'600'000);
}

TEST_F(CpuSourceTest, CountersThatRunBackGiveNoLoad) {
  board_.With(kStat, kAfter);
  Sample();
  board_.With(kStat, kBefore);
  EXPECT_EQ(Sample().absent.at("cpu_core_load/cpu0"), Why::kMissing);
}

TEST_F(CpuSourceTest, UnreadableTicksAreAbsentForAReason) {
  Sample();
  board_.With(kStat, "nonsense\n");
  const RecordedSweep sweep = Sample();
  EXPECT_EQ(sweep.absent.at("cpu_load"), Why::kUnparsable);
  EXPECT_EQ(sweep.absent.at("cpu_core_load/cpu0"), Why::kUnparsable);
  EXPECT_EQ(sweep.values.at("cpu_core_frequency/cpu0"), 1'420'800'000);
  EXPECT_FALSE(seen_.last_status().ok());
}

TEST(CpuSourceBoardTest, CoresThatAreOffFromTheStartAreGated) {
  RecordedSink seen;
  auto source = kCpuSource.open(FixtureBoard("xavier-nx"), seen);
  ASSERT_TRUE(source.ok());
  const RecordedSweep sweep = seen.Sample(**source);
  EXPECT_EQ(sweep.absent.at("cpu_core_load/cpu5"), Why::kGated);
  EXPECT_EQ(sweep.absent.at("cpu_core_load/cpu0"), Why::kMissing);
}

TEST(CpuSourceBoardTest, BoardWithoutClocksHasLoadsOnly) {
  RecordedSink seen;
  auto source = kCpuSource.open(FixtureBoard("ti-j721e"), seen);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(seen.names(),
            (std::vector<std::string>{"cpu_load", "cpu_core_load/cpu0", "cpu_core_load/cpu1"}));
}

}  // namespace
}  // namespace tacho
