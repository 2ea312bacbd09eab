// Work that may wait runs beside the callers, and ends with the pool.
#include "rpc/worker_pool.h"

#include <atomic>
#include <gtest/gtest.h>
#include <semaphore>
#include <thread>
#include <vector>

namespace tacho {

namespace {

TEST(WorkerPool, RunsEverythingItTookBeforeItEnds) {
  std::atomic<int> ran{0};
  int taken = 0;
  {
    WorkerPool pool(3, 1000);
    for (int i = 0; i < 500; ++i) {
      taken += pool.TryRun([&ran] { ++ran; }) ? 1 : 0;
    }
  }
  EXPECT_EQ(taken, 500);
  EXPECT_EQ(ran, 500);
}

TEST(WorkerPool, RefusesWhatIsOverItsLimit) {
  std::binary_semaphore is_running(0);
  std::binary_semaphore may_end(0);
  WorkerPool pool(1, 1);
  ASSERT_TRUE(pool.TryRun([&] {
    is_running.release();
    may_end.acquire();
  }));
  is_running.acquire();
  EXPECT_TRUE(pool.TryRun([] {}));
  EXPECT_FALSE(pool.TryRun([] {}));
  may_end.release();
}

TEST(WorkerPool, TakesFromManyThreads) {
  std::atomic<int> ran{0};
  {
    WorkerPool pool(2, 10'000);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          EXPECT_TRUE(pool.TryRun([&ran] { ++ran; }));
        }
      });
    }
    threads.clear();
  }
  EXPECT_EQ(ran, 800);
}

}  // namespace

}  // namespace tacho
