// The feed of tegrastats: the program, a pipe, a log.
#include "collector/feeds/tegrastats_feed.h"

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <signal.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "tests/support/fake_clock.h"
#include "tests/support/fake_tegrastats.h"
#include "tests/support/recorded_sink.h"
#include "tests/support/waiting.h"
#include "tests/unit/collector/boards.h"

namespace tacho {
namespace {

using std::chrono::milliseconds;

const std::string kLine =
    "RAM 10/100MB (lfb 2x4MB) CPU [7%@1190,0%@729] EMC_FREQ 4%@2133 GR3D_FREQ 31%@[408] "
    "cpu@51.5C VDD_IN 3601mW/3601mW";

bool NothingIsTaken(std::string_view /*metric*/, std::string_view /*instance*/) {
  return false;
}

// Each sample is half a second later, as the log of a real program would be.
class SteppingClock final : public Clock {
 public:
  BootTime Boot() const override { return now_ += milliseconds(500); }
  ClockPair Pair() const override { return {}; }

 private:
  mutable BootTime now_{};
};

class TegrastatsFeedTest : public ::testing::Test {
 protected:
  TegrastatsFeed& Start(TegrastatsFeedConfig config, IsTaken is_taken = NothingIsTaken) {
    config.restart_after = milliseconds(1);
    config.restart_at_most = milliseconds(4);
    feed_.emplace(std::move(config), clock_, seen_, std::move(is_taken));
    const Status started = feed_->Start(seen_);
    EXPECT_TRUE(started.ok()) << started.message();
    return *feed_;
  }
  bool WaitForSweeps(std::size_t count) {
    return WaitFor([&] { return seen_.sweeps().size() >= count; });
  }
  std::string Log(const std::string& text) {
    const auto file = folder_.path() / "log";
    std::ofstream(file) << text;
    return file.string();
  }

  TempFolder folder_;
  SteppingClock clock_;
  RecordedSink seen_;
  std::optional<TegrastatsFeed> feed_;
};

TEST_F(TegrastatsFeedTest, LogGivesASweepALine) {
  const TegrastatsFeed& feed = Start({.file = Log("# a comment\n" + kLine + "\n" + kLine + "\n")});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  const std::vector<RecordedSweep> sweeps = seen_.sweeps();
  ASSERT_EQ(sweeps.size(), 2u);
  EXPECT_EQ(sweeps[1].at - sweeps[0].at, milliseconds(500));
  const std::map<std::string, std::int64_t> expected = {
      {"memory_used", 10LL << 20},
      {"memory_total", 100LL << 20},
      {"largest_free_block", 4LL << 20},
      {"largest_free_block_count", 2},
      {"cpu_core_load/cpu0", 7},
      {"cpu_core_load/cpu1", 0},
      {"cpu_core_frequency/cpu0", 1'190'000'000},
      {"cpu_core_frequency/cpu1", 729'000'000},
      {"emc_load", 4},
      {"emc_frequency", 2'133'000'000},
      {"gpu_load", 310},
      {"gpu_frequency/gpc0", 408'000'000},
      {"thermal_zone_temperature/cpu", 51'500},
      {"power_rail/VDD_IN", 3601},
  };
  EXPECT_EQ(sweeps[1].values, expected);
  EXPECT_EQ(feed.counters().lines, 2u);
  EXPECT_EQ(feed.counters().noise, 1u);
  EXPECT_TRUE(feed.counters().is_root);
}

TEST_F(TegrastatsFeedTest, ZerosOfCoresAreNotBelievedInTheFirstLineOfALife) {
  const TegrastatsFeed& feed = Start({.file = Log(kLine + "\n" + kLine + "\n")});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  const RecordedSweep first = seen_.sweeps().at(0);
  EXPECT_EQ(first.absent, (std::map<std::string, Why>{{"cpu_core_load/cpu1", Why::kMissing}}));
  EXPECT_EQ(first.values.at("cpu_core_load/cpu0"), 7);
  EXPECT_TRUE(seen_.sweeps().at(1).absent.empty());
}

TEST_F(TegrastatsFeedTest, RestartOfAForeignProgramIsSeenInItsMeans) {
  const std::string moved = "RAM 10/100MB (lfb 2x4MB) CPU [0%@1] VDD_IN 5/4\n";
  const std::string fresh = "RAM 10/100MB (lfb 2x4MB) CPU [0%@1] VDD_IN 5/5\n";
  const TegrastatsFeed& feed = Start({.file = Log(moved + moved + fresh + moved)});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  EXPECT_EQ(feed.counters().restarts_seen, 1u);
  std::string zeros;
  for (const RecordedSweep& sweep : seen_.sweeps()) {
    zeros += sweep.values.contains("cpu_core_load/cpu0") ? '0' : '-';
  }
  EXPECT_EQ(zeros, "-0-0");
}

TEST_F(TegrastatsFeedTest, OnlyWhatNoSourceMeasuresIsServed) {
  const auto is_taken = [](std::string_view metric, std::string_view instance) {
    return metric == "power_rail" || metric == "cpu_core_load" ||
           (metric == "thermal_zone_temperature" && instance == "cpu-thermal");
  };
  const TegrastatsFeed& feed = Start({.file = Log(kLine + "\n")}, is_taken);
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  const std::vector<std::string> expected = {"memory_used",
                                             "memory_total",
                                             "largest_free_block",
                                             "largest_free_block_count",
                                             "cpu_core_frequency/cpu0",
                                             "cpu_core_frequency/cpu1",
                                             "emc_load",
                                             "emc_frequency",
                                             "gpu_load",
                                             "gpu_frequency/gpc0"};
  std::vector<std::string> names = seen_.names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()),
            std::set<std::string>(expected.begin(), expected.end()));
}

TEST_F(TegrastatsFeedTest, WhatIsWrongIsCounted) {
  const std::string text = kLine + " QUANTUM cpu@4x1C\n" + std::string(5000, 'x') +
                           "\nWARNING: not invoking as root\n" + kLine + " VDD_CPU 12/3";
  const TegrastatsFeed& feed = Start({.file = Log(text)});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  EXPECT_EQ(feed.counters().lines, 2u);
  EXPECT_EQ(feed.counters().unknown_tokens, 2u) << "QUANTUM, and VDD_CPU whose value was cut";
  EXPECT_EQ(feed.counters().bad_fields, 2u) << "a temperature, and the cut";
  EXPECT_EQ(feed.counters().too_long, 1u);
  EXPECT_EQ(feed.counters().noise, 1u);
}

TEST_F(TegrastatsFeedTest, NewTokenIsNamedWhenItComes) {
  const TegrastatsFeed& feed =
      Start({.file = Log(kLine + "\n" + kLine + " NVENC 71%@166\n" + kLine + "\n")});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  const std::vector<RecordedSweep> sweeps = seen_.sweeps();
  EXPECT_FALSE(sweeps.at(0).values.contains("engine_load/NVENC"));
  EXPECT_EQ(sweeps.at(1).values.at("engine_load/NVENC"), 71);
  EXPECT_FALSE(sweeps.at(2).values.contains("engine_load/NVENC"));
  EXPECT_FALSE(sweeps.at(2).absent.contains("engine_load/NVENC"));
}

TEST_F(TegrastatsFeedTest, ThorsLogNamesAnAbsentGpuLoad) {
  const TegrastatsFeed& feed =
      Start({.file = FixtureBoard("thor-agx").Of("tegrastats.log").string()});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  EXPECT_EQ(seen_.sweeps().size(), 240u);
  for (const RecordedSweep& sweep : seen_.sweeps()) {
    EXPECT_EQ(sweep.absent.at("gpu_load"), Why::kMissing);
    EXPECT_TRUE(sweep.values.contains("power_rail/VIN"));
  }
  EXPECT_EQ(feed.counters().unknown_tokens + feed.counters().bad_fields, 0u);
}

TEST_F(TegrastatsFeedTest, PacedLogStopsAtOnce) {
  Start({.file = Log(kLine + "\n" + kLine + "\n"), .replay_pace = std::chrono::hours(1)});
  ASSERT_TRUE(WaitForSweeps(1));
  feed_->Stop();
  EXPECT_EQ(seen_.sweeps().size(), 1u);
}

TEST_F(TegrastatsFeedTest, PipeIsFollowedFromWriterToWriter) {
  const std::string pipe = (folder_.path() / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const TegrastatsFeed& feed = Start({.file = pipe});
  for (std::size_t writer = 1; writer <= 3; ++writer) {
    std::ofstream output(pipe);
    output << kLine << "\n" << std::flush;
    EXPECT_TRUE(WaitForSweeps(writer));
    output.close();
    EXPECT_TRUE(WaitFor([&] { return feed.counters().restarts.load() >= writer; }));
  }
  EXPECT_EQ(feed.counters().restarts, 3u) << "a pipe without a writer is waited on, not polled";
  feed_->Stop();
}

TEST_F(TegrastatsFeedTest, ProgramIsStartedWithItsIntervalAndPlainNumbers) {
  const FakeTegrastats program("echo '" + kLine + "'; exec sleep 100");
  Start({.program = "tegrastats",
         .search_path = "/nonexistent:" + program.folder(),
         .interval = milliseconds(500)});
  ASSERT_TRUE(WaitForSweeps(1));
  feed_->Stop();
  EXPECT_EQ(program.starts(), "C --interval 500\n");
}

TEST_F(TegrastatsFeedTest, ProgramThatEndsIsStartedAgain) {
  const FakeTegrastats program("echo '" + kLine + "'; echo 'RAM 1/2MB (lfb 1x4MB) VDD_IN 36'");
  const TegrastatsFeed& feed = Start({.program = program.file()});
  ASSERT_TRUE(WaitForSweeps(6));
  EXPECT_GE(feed.counters().restarts, 2u);
  feed_->Stop();
}

TEST_F(TegrastatsFeedTest, ProgramThatOnlyComplainsIsNoise) {
  const FakeTegrastats program("echo 'ERROR: exits as an instance (pid = 1) exists' >&2");
  const TegrastatsFeed& feed = Start({.program = program.file()});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().restarts >= 2; }));
  feed_->Stop();
  EXPECT_GE(feed.counters().noise, 1u);
  EXPECT_TRUE(seen_.sweeps().empty());
}

TEST_F(TegrastatsFeedTest, ProgramThatEndsTooSoonFailsAndSaysHow) {
  const FakeTegrastats program("exit 3");
  const TegrastatsFeed& feed = Start({.program = program.file()});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().restarts >= 2; }));
  const FeedHealth health = feed.health();
  EXPECT_EQ(health.what, FeedHealth::What::kFailing);
  EXPECT_NE(health.detail.find("times in a row, last with status 3"), std::string::npos)
      << health.detail;
}

TEST_F(TegrastatsFeedTest, LivesOfAFewSamplesEachAreStillAFailure) {
  const FakeTegrastats program("echo '" + kLine + "'");
  const TegrastatsFeed& feed = Start({.program = program.file()});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().ends_in_a_row >= 4; }));
  EXPECT_EQ(feed.health().what, FeedHealth::What::kFailing);
}

TEST_F(TegrastatsFeedTest, GoodLifeForgivesTheEndsBefore) {
  const FakeTegrastats program(
      "[ $(wc -l <\"$0.starts\") -gt 3 ] || exit 1; for i in 1 2 3; do echo '" + kLine +
      "'; done; exec sleep 100");
  const TegrastatsFeed& feed = Start({.program = program.file()});
  ASSERT_TRUE(WaitForSweeps(3));
  EXPECT_TRUE(WaitFor([&] { return feed.health().what == FeedHealth::What::kRunning; }));
  EXPECT_EQ(feed.health().detail, "");
}

TEST_F(TegrastatsFeedTest, NonsenseOfEveryKindIsHeardAndCounted) {
  for (const std::string& body :
       {std::string("head -c 200000 /dev/urandom; exec sleep 100"),
        std::string("head -c 200000 /dev/zero; exec sleep 100"),
        std::string("head -c 200000 /dev/zero | tr '\\0' x; echo; exec sleep 100"),
        std::string("while :; do echo 'WARNING: no'; sleep 0.01; done"),
        std::string("echo 'ERROR: another instance' >&2; exec sleep 100")}) {
    const FakeTegrastats program(body);
    const TegrastatsFeed& feed = Start({.program = program.file(), .interval = milliseconds(100)});
    EXPECT_TRUE(WaitFor([&] { return feed.health().hears_noise; })) << body;
    EXPECT_NE(feed.health().detail.find("that no tegrastats prints"), std::string::npos) << body;
    feed_->Stop();
    EXPECT_TRUE(seen_.names().empty()) << body;
  }
}

TEST_F(TegrastatsFeedTest, SampleAfterNonsenseEndsIt) {
  const FakeTegrastats program("echo what; echo '" + kLine + "'; exec sleep 100");
  const TegrastatsFeed& feed = Start({.program = program.file()});
  ASSERT_TRUE(WaitForSweeps(1));
  EXPECT_TRUE(WaitFor([&] { return !feed.health().hears_noise; }));
}

TEST_F(TegrastatsFeedTest, LineOfTooManyChannelsSaysWhyItWasLeftOut) {
  std::string rails;
  for (int i = 0; i < 3000; ++i)
    rails += " rail" + std::to_string(i) + " 1mW/1mW";
  const TegrastatsFeed& feed = Start({.file = Log(kLine + "\n" + kLine + rails + "\n")});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  EXPECT_NE(feed.health().detail.find("1 line of more than 4096 bytes left out"), std::string::npos)
      << feed.health().detail;
}

TEST_F(TegrastatsFeedTest, MoreChannelsThanAreAllowedAreSaid) {
  std::string text;
  for (int line = 0; line < 12; ++line) {
    text += "RAM 1/2MB (lfb 1x4MB)";
    for (int i = 0; i < 100; ++i)
      text += " r" + std::to_string(100 * line + i) + " 1/1";
    text += "\n";
  }
  const TegrastatsFeed& feed = Start({.file = Log(text)});
  ASSERT_TRUE(WaitFor([&] { return feed.counters().is_at_end.load(); }));
  EXPECT_NE(feed.health().detail.find("left out since only 512 channels are allowed"),
            std::string::npos)
      << feed.health().detail;
}

TEST_F(TegrastatsFeedTest, LogThatWasReadHasEnded) {
  const TegrastatsFeed& feed = Start({.file = Log(kLine + "\n")});
  EXPECT_TRUE(WaitFor([&] { return feed.health().what == FeedHealth::What::kEnded; }));
}

// A clock that moves as the machine's does: what a flood costs is a matter of real time.
class RunningClock final : public Clock {
 public:
  BootTime Boot() const override {
    return BootTime(std::chrono::steady_clock::now().time_since_epoch());
  }
  ClockPair Pair() const override { return {}; }
};

// Output without end, of every kind: the feed takes little of it and is soon told to stop.
TEST(TegrastatsFloodTest, ProgramThatPrintsWithoutEndIsHeldBack) {
  for (const std::string& body :
       {"exec yes '" + kLine + "'", std::string("exec yes"), std::string("exec cat /dev/zero"),
        std::string("exec cat /dev/urandom"), std::string("exec yes >&2")}) {
    const FakeTegrastats program(body);
    const RunningClock clock;
    RecordedSink seen;
    TegrastatsFeed feed({.program = program.file(), .interval = milliseconds(200)}, clock, seen,
                        NothingIsTaken);
    ASSERT_TRUE(feed.Start(seen).ok());
    const BootTime begin = clock.Boot();
    std::this_thread::sleep_for(milliseconds(600));
    feed.Stop();
    const TegrastatsCounters& counters = feed.counters();
    // A look each 50 ms, of a pipe's worth of the shortest lines; a busy machine sleeps longer.
    const auto looks = static_cast<std::uint64_t>((clock.Boot() - begin) / milliseconds(50)) + 3;
    EXPECT_LE(counters.lines, 8 + looks) << body;
    EXPECT_LE(counters.lines + counters.noise + counters.skipped, looks * (64u << 10)) << body;
    EXPECT_EQ(counters.restarts, 0u) << "it is held back, not ended: " << body;
  }
}

TEST(TegrastatsFloodTest, LinesAtTheirPaceAreNeverLeftOut) {
  const FakeTegrastats program("for i in 1 2 3 4 5 6 7 8 9 10; do echo '" + kLine +
                               "'; sleep 0.1; done; exec sleep 100");
  const RunningClock clock;
  RecordedSink seen;
  TegrastatsFeed feed({.program = program.file(), .interval = milliseconds(100)}, clock, seen,
                      NothingIsTaken);
  ASSERT_TRUE(feed.Start(seen).ok());
  EXPECT_TRUE(WaitFor([&] { return seen.sweeps().size() == 10; }));
  EXPECT_EQ(feed.counters().skipped, 0u);
}

TEST(FeedPaceTest, FourAnIntervalAreTakenAndEightAtOnce) {
  SamplePace pace{std::chrono::seconds(1)};
  int taken = 0;
  const auto take = [&](Nanos at) {
    if (!pace.MayTake(BootTime(at))) return;
    pace.Take(BootTime(at));
    ++taken;
  };
  for (int i = 0; i < 100; ++i)
    take(std::chrono::seconds(10));
  EXPECT_EQ(taken, 8);
  for (int i = 0; i < 10'000; ++i)
    take(std::chrono::seconds(10) + milliseconds(i));
  EXPECT_EQ(taken, 8 + 39);
  taken = 0;
  for (int i = 0; i < 100; ++i)
    take(std::chrono::seconds(100 + i));
  EXPECT_EQ(taken, 100) << "at the pace configured nothing is left out";
}

TEST_F(TegrastatsFeedTest, SilentProgramIsStartedAgain) {
  const FakeTegrastats program("exec sleep 100");
  const TegrastatsFeed& feed =
      Start({.program = program.file(), .silence_limit = milliseconds(20)});
  EXPECT_TRUE(WaitFor([&] { return feed.counters().restarts >= 2; }));
  feed_->Stop();
}

TEST_F(TegrastatsFeedTest, SilentProgramDoesNotHoldUpStop) {
  const FakeTegrastats program("echo $$ >\"$0.pid\"; exec sleep 100");
  Start({.program = program.file()});
  ASSERT_TRUE(WaitFor([&] { return std::filesystem::exists(program.file() + ".pid"); }));
  feed_->Stop();
  pid_t child = 0;
  std::ifstream(program.file() + ".pid") >> child;
  EXPECT_TRUE(child == 0 || ::kill(child, 0) != 0) << "the program is still there";
}

TEST_F(TegrastatsFeedTest, ProgramThatIgnoresBeingAskedIsEnded) {
  const FakeTegrastats program("trap '' TERM; echo '" + kLine + "'; while :; do sleep 0.01; done");
  Start({.program = program.file()});
  ASSERT_TRUE(WaitForSweeps(1));
  feed_->Stop();
  EXPECT_EQ(seen_.sweeps().size(), 1u);
}

TEST_F(TegrastatsFeedTest, BoardWithoutTheProgramIsNotAnError) {
  TegrastatsFeed feed({.search_path = folder_.path().string()}, clock_, seen_, NothingIsTaken);
  EXPECT_EQ(feed.Start(seen_).code(), Code::kNotFound);
  TegrastatsFeed no_log({.file = "/nonexistent/log"}, clock_, seen_, NothingIsTaken);
  EXPECT_EQ(no_log.Start(seen_).code(), Code::kNotFound);
  TegrastatsFeed folder({.file = folder_.path().string()}, clock_, seen_, NothingIsTaken);
  EXPECT_EQ(folder.Start(seen_).code(), Code::kInvalid);
}

TEST_F(TegrastatsFeedTest, FeedCanBeStartedAgain) {
  Start({.file = Log(kLine + "\n")});
  ASSERT_TRUE(WaitForSweeps(1));
  feed_->Stop();
  feed_->Stop();
  EXPECT_TRUE(feed_->Start(seen_).ok());
  EXPECT_TRUE(WaitForSweeps(2));
  feed_->Stop();
}

}  // namespace
}  // namespace tacho
