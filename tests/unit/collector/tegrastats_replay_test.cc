// Long logs of real boards through a real pipe: nothing lost, nothing added.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sys/stat.h>

#include "collector/feeds/tegrastats_feed.h"
#include "tests/support/fake_clock.h"
#include "tests/support/recorded_sink.h"
#include "tests/support/temp_folder.h"
#include "tests/support/waiting.h"

namespace tacho {
namespace {

namespace fs = std::filesystem;

const fs::path kCaptures = fs::path(TACHO_SOURCE_DIR) / "../shared/data/tegrastats";

std::vector<std::int64_t> RailOfFile(const fs::path& file, const std::string& rail) {
  const std::regex expression(" " + rail + R"( (-?\d+)mW/)");
  std::ifstream input(file);
  std::vector<std::int64_t> values;
  for (std::string line; std::getline(input, line);) {
    std::smatch match;
    if (std::regex_search(line, match, expression)) values.push_back(std::stoll(match[1]));
  }
  return values;
}

// Each look is a second later, as if the lines came at the pace that was asked for.
class PacedClock final : public Clock {
 public:
  BootTime Boot() const override { return now_ += std::chrono::seconds(1); }
  ClockPair Pair() const override { return {}; }

 private:
  mutable BootTime now_{};
};

TEST(TegrastatsReplayTest, EveryValueOfEveryRailComesThroughAPipe) {
  const fs::path log = kCaptures / "full_orin-agx64_r36_root_600lines.log";
  if (!fs::exists(log)) GTEST_SKIP() << "no captured log at " << log;
  const TempFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);

  const PacedClock clock;
  RecordedSink seen;
  TegrastatsFeed feed({.interval = std::chrono::milliseconds(100), .file = pipe}, clock, seen,
                      [](auto, auto) { return false; });
  ASSERT_TRUE(feed.Start(seen).ok());
  std::ofstream(pipe) << std::ifstream(log).rdbuf();
  ASSERT_TRUE(WaitFor([&] { return feed.counters().lines == 600; }));
  feed.Stop();

  const std::vector<RecordedSweep> sweeps = seen.sweeps();
  ASSERT_EQ(sweeps.size(), 600u);
  for (const char* rail : {"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0", "VDDQ_VDD2_1V8AO"}) {
    std::vector<std::int64_t> values;
    for (const RecordedSweep& sweep : sweeps) {
      values.push_back(sweep.values.at("power_rail/" + std::string(rail)));
    }
    EXPECT_EQ(values, RailOfFile(log, rail)) << rail;
  }
  EXPECT_EQ(feed.counters().unknown_tokens + feed.counters().bad_fields, 0u);
  EXPECT_EQ(feed.counters().restarts_seen, 0u);
}

TEST(TegrastatsReplayTest, TokensThatRootAddsAreNamedInTheMiddleOfALog) {
  const fs::path log = kCaptures / "full_tx2_r28_600lines.log";
  if (!fs::exists(log)) GTEST_SKIP() << "no captured log at " << log;
  const FakeClock clock;
  RecordedSink seen;
  TegrastatsFeed feed({.file = log.string()}, clock, seen, [](auto, auto) { return false; });
  ASSERT_TRUE(feed.Start(seen).ok());
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  const std::vector<RecordedSweep> sweeps = seen.sweeps();
  ASSERT_EQ(sweeps.size(), 600u);
  EXPECT_FALSE(sweeps[419].values.contains("emc_load"));
  EXPECT_EQ(sweeps[420].values.at("emc_load"), 7);
  EXPECT_EQ(sweeps[420].absent.size(), 6u) << "the zeros of six cores, after a restart";
  EXPECT_EQ(feed.counters().restarts_seen, 2u);
}

}  // namespace
}  // namespace tacho
