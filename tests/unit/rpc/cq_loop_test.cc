// Timers and posted tasks of the completion-queue loop run in order, on its thread.
#include "rpc/cq_loop.h"

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace tacho {

namespace {

using std::chrono::milliseconds;

TEST(CqLoop, RunsPostedTasksInOrder) {
  CqLoop loop;
  std::string order;
  loop.Post([&] { order += "a"; });
  loop.Post([&] {
    order += "b";
    loop.Post([&] {
      order += "d";
      loop.Stop();
    });
  });
  loop.Post([&] { order += "c"; });
  loop.Run();
  EXPECT_EQ(order, "abcd");
}

TEST(CqLoop, RunsTimersInOrderOfTheirTime) {
  CqLoop loop;
  std::string order;
  const auto third = loop.After(milliseconds(20), [&] {
    order += "c";
    loop.Stop();
  });
  const auto first = loop.After(milliseconds(0), [&] { order += "a"; });
  const auto second = loop.After(milliseconds(10), [&] { order += "b"; });
  loop.Run();
  EXPECT_EQ(order, "abc");
}

TEST(CqLoop, ForgetsATimerThatIsDestroyed) {
  CqLoop loop;
  std::string order;
  auto forgotten = loop.After(milliseconds(0), [&] { order += "x"; });
  const auto last = loop.After(milliseconds(5), [&] { loop.Stop(); });
  forgotten.reset();
  loop.Run();
  EXPECT_EQ(order, "");
}

TEST(CqLoop, LetsATimersTaskReplaceItsOwnTimer) {
  CqLoop loop;
  int runs = 0;
  std::unique_ptr<Scheduler::Timer> timer;
  std::function<void()> again = [&] {
    if (++runs == 3) {
      loop.Stop();
    } else {
      timer = loop.After(milliseconds(1), again);
    }
  };
  timer = loop.After(milliseconds(1), again);
  loop.Run();
  EXPECT_EQ(runs, 3);
}

TEST(CqLoop, NeverRunsATimerEarly) {
  CqLoop loop;
  const auto start = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point ran;
  const auto timer = loop.After(milliseconds(30), [&] {
    ran = std::chrono::steady_clock::now();
    loop.Stop();
  });
  loop.Run();
  EXPECT_GE(ran - start, milliseconds(30));
}

TEST(CqLoop, TakesPostsFromManyThreadsAndKeepsTheOrderOfEach) {
  constexpr int kThreads = 4;
  constexpr int kEach = 1000;
  CqLoop loop;
  std::vector<std::vector<int>> seen(kThreads);
  int total = 0;
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kEach; ++i) {
        loop.Post([&, thread, i] {
          seen[thread].push_back(i);
          if (++total == kThreads * kEach) loop.Stop();
        });
      }
    });
  }
  loop.Run();
  for (const auto& one : seen) {
    EXPECT_EQ(one.size(), static_cast<std::size_t>(kEach));
    EXPECT_TRUE(std::is_sorted(one.begin(), one.end()));
  }
}

TEST(CqLoop, StopsFromAnotherThreadWhileItWaits) {
  CqLoop loop;
  std::jthread stopper([&] { loop.Stop(); });
  loop.Run();
}

TEST(CqLoop, DropsPostedTasksThatNobodyRan) {
  bool has_run = false;
  {
    CqLoop loop;
    loop.Post([&] { has_run = true; });
  }
  EXPECT_FALSE(has_run);
}

}  // namespace

}  // namespace tacho
