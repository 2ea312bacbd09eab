// Both loops: the real one, also from foreign threads, and the one that tests crank by hand.
#include <algorithm>
#include <array>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "common/asio_scheduler.h"
#include "tests/support/fake_scheduler.h"

using namespace std::chrono_literals;

namespace tacho {
namespace {

struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends.data()), 0); }
  ~Pipe() {
    close(ends[0]);
    close(ends[1]);
  }
  void Write() const { EXPECT_EQ(write(ends[1], "x", 1), 1); }
  void Read() const {
    char byte = 0;
    EXPECT_EQ(read(ends[0], &byte, 1), 1);
  }
  std::array<int, 2> ends{};
};

TEST(FakeSchedulerTest, TasksRunAtTheirOwnTimeInOrder) {
  FakeClock clock;
  FakeScheduler loop(clock);
  std::vector<std::int64_t> seen;
  auto late = loop.After(3s, [&] { seen.push_back(Count(clock.Boot())); });
  auto soon = loop.After(1s, [&] { seen.push_back(Count(clock.Boot())); });
  loop.Advance(5s);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1'000'000'000, 3'000'000'000}));
  EXPECT_EQ(clock.Boot(), BootTimeOf(5'000'000'000));
}

TEST(FakeSchedulerTest, TimerMadeByATaskRunsWithinTheSameAdvance) {
  FakeScheduler loop;
  int ticks = 0;
  std::unique_ptr<Scheduler::Timer> timer;
  std::function<void()> tick = [&] {
    ++ticks;
    timer = loop.After(1s, tick);
  };
  tick();
  loop.Advance(10s);
  EXPECT_EQ(ticks, 11);
}

TEST(FakeSchedulerTest, DestroyedTimerNeverFires) {
  FakeScheduler loop;
  bool has_fired = false;
  auto timer = loop.After(1s, [&] { has_fired = true; });
  timer.reset();
  loop.Advance(2s);
  EXPECT_FALSE(has_fired);
  EXPECT_EQ(loop.pending_timers(), 0u);
}

TEST(FakeSchedulerTest, PostedTasksRunWithoutTimePassing) {
  FakeScheduler loop;
  int ran = 0;
  loop.Post([&] { loop.Post([&] { ++ran; }); });
  loop.RunPosted();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(loop.now(), BootTimeOf(0));
}

TEST(FakeClockTest, SteppedWallClockRunsOnFromThere) {
  FakeClock clock(BootTimeOf(5));
  clock.SetWall(WallTimeOf(1'000));
  clock.SetTrust(ClockTrust::kNtp);
  clock.Advance(10ns);
  EXPECT_EQ(clock.Pair(), (ClockPair{BootTimeOf(15), WallTimeOf(1'010), ClockTrust::kNtp}));
}

TEST(AsioSchedulerTest, PostedTasksOfAForeignThreadRunInOrder) {
  AsioScheduler loop;
  std::vector<int> seen;
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) {
      loop.Post([&seen, i] { seen.push_back(i); });
    }
    loop.Post([&] { loop.Stop(); });
  });
  loop.Run();
  other.join();
  ASSERT_EQ(seen.size(), 1000u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST(AsioSchedulerTest, ForeignThreadsPostWhileTheLoopRuns) {
  AsioScheduler loop;
  constexpr int kThreads = 4;
  constexpr int kPosts = 500;
  int ran = 0;  // touched on the loop only
  std::vector<std::jthread> others;
  for (int i = 0; i < kThreads; ++i) {
    others.emplace_back([&] {
      for (int j = 0; j < kPosts; ++j) {
        loop.Post([&] {
          if (++ran == kThreads * kPosts) loop.Stop();
        });
      }
    });
  }
  loop.Run();
  EXPECT_EQ(ran, kThreads * kPosts);
}

TEST(AsioSchedulerTest, TasksAreNeverRunInsidePost) {
  AsioScheduler loop;
  bool has_returned = false;
  loop.Post([&] {
    loop.Post([&] {
      EXPECT_TRUE(has_returned);
      loop.Stop();
    });
    has_returned = true;
  });
  loop.Run();
}

TEST(AsioSchedulerTest, ForeignThreadStopsTheLoop) {
  AsioScheduler loop;
  std::jthread other([&] { loop.Stop(); });
  loop.Run();
}

TEST(AsioSchedulerTest, TimersFireInTheOrderOfTheirDelays) {
  AsioScheduler loop;
  std::vector<int> seen;
  auto last = loop.After(3ms, [&] {
    seen.push_back(3);
    loop.Stop();
  });
  auto first = loop.After(1ms, [&] { seen.push_back(1); });
  loop.Run();
  EXPECT_EQ(seen, (std::vector<int>{1, 3}));
}

TEST(AsioSchedulerTest, TimerDestroyedWhileItsTaskIsDueNeverFires) {
  AsioScheduler loop;
  bool has_fired = false;
  auto doomed = loop.After(0ms, [&] { has_fired = true; });
  std::unique_ptr<Scheduler::Timer> killer;
  loop.Post([&] {
    doomed.reset();
    killer = loop.After(5ms, [&] { loop.Stop(); });
  });
  loop.Run();
  EXPECT_FALSE(has_fired);
}

TEST(AsioSchedulerTest, TimerMayBeReplacedByItsOwnTask) {
  AsioScheduler loop;
  int ticks = 0;
  std::unique_ptr<Scheduler::Timer> timer;
  std::function<void()> tick = [&] {
    if (++ticks == 5) return loop.Stop();
    timer = loop.After(0ms, tick);
  };
  timer = loop.After(0ms, tick);
  loop.Run();
  EXPECT_EQ(ticks, 5);
}

TEST(AsioWatchTest, TaskRunsForEachByteThatIsLeftToRead) {
  AsioScheduler loop;
  const Pipe pipe;
  int reads = 0;
  auto watch = loop.WhenReadable(pipe.ends[0], [&] {
    pipe.Read();
    if (++reads == 3) loop.Stop();
  });
  ASSERT_NE(watch, nullptr);
  for (int i = 0; i < 3; ++i) {
    pipe.Write();  // all before the first read: what is left must wake again
  }
  loop.Run();
  EXPECT_EQ(reads, 3);
}

TEST(AsioWatchTest, WatchMayDieWithinItsTaskAndLeavesTheDescriptorOpen) {
  AsioScheduler loop;
  const Pipe pipe;
  int calls = 0;
  std::unique_ptr<AsioScheduler::Watch> watch;
  watch = loop.WhenReadable(pipe.ends[0], [&] {
    ++calls;
    watch.reset();
    loop.Post([&] { loop.Stop(); });
  });
  pipe.Write();
  loop.Run();
  EXPECT_EQ(calls, 1);
  pipe.Read();
}

TEST(AsioWatchTest, ClosedWriterWakesTheReader) {
  AsioScheduler loop;
  Pipe pipe;
  close(pipe.ends[1]);
  auto watch = loop.WhenReadable(pipe.ends[0], [&] { loop.Stop(); });
  loop.Run();
  pipe.ends[1] = -1;
}

TEST(AsioWatchTest, DescriptorThatCannotBeWatchedGivesNoWatch) {
  AsioScheduler loop;
  EXPECT_EQ(loop.WhenReadable(-1, [] {}), nullptr);
  FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(loop.WhenReadable(fileno(file), [] {}), nullptr);
  EXPECT_EQ(std::fclose(file), 0);
}

TEST(AsioSignalTest, EveryDeliveryCallsTheTask) {
  AsioScheduler loop;
  int deliveries = 0;
  loop.OnSignal(SIGUSR1, [&] {
    if (++deliveries == 2) return loop.Stop();
    EXPECT_EQ(std::raise(SIGUSR1), 0);
  });
  EXPECT_EQ(std::raise(SIGUSR1), 0);
  loop.Run();
  EXPECT_EQ(deliveries, 2);
}

}  // namespace
}  // namespace tacho
