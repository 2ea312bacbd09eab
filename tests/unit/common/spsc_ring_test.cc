// The ring between two threads: order, drops, and no allocation after construction.
#include "common/spsc_ring.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

#include "tests/support/allocation_counter.h"

namespace tacho {
namespace {

TEST(SpscRingTest, CapacityIsRoundedUp) {
  EXPECT_EQ(SpscRing<int>(5).capacity(), 8u);
  EXPECT_EQ(SpscRing<int>(8).capacity(), 8u);
}

TEST(SpscRingTest, ValuesComeOutInOrder) {
  SpscRing<int> ring(4);
  int value = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(ring.TryPush(i));
    EXPECT_TRUE(ring.TryPush(i + 1000));
    ASSERT_TRUE(ring.TryPop(value));
    EXPECT_EQ(value, i);
    ASSERT_TRUE(ring.TryPop(value));
    EXPECT_EQ(value, i + 1000);
  }
  EXPECT_FALSE(ring.TryPop(value));
}

TEST(SpscRingTest, FullRingDropsTheNewValueAndCountsIt) {
  SpscRing<int> ring(2);
  EXPECT_TRUE(ring.TryPush(1));
  EXPECT_TRUE(ring.TryPush(2));
  EXPECT_FALSE(ring.TryPush(3));
  EXPECT_EQ(ring.dropped(), 1u);
  int value = 0;
  ASSERT_TRUE(ring.TryPop(value));
  EXPECT_EQ(value, 1);
  EXPECT_TRUE(ring.TryPush(4));
}

TEST(SpscRingTest, TwoThreadsLoseNothingButWhatIsCounted) {
  constexpr std::uint64_t kPushes = 100'000;
  struct Sample {
    std::uint64_t number;
    std::uint64_t twice;
  };
  SpscRing<Sample> ring(64);
  std::jthread writer([&ring] {
    for (std::uint64_t i = 1; i <= kPushes; ++i) {
      const bool is_last = i == kPushes;
      while (!ring.TryPush({i, 2 * i}) && is_last) {
        std::this_thread::yield();
      }
      if (i % 64 == 0) std::this_thread::yield();
    }
  });
  std::uint64_t last = 0;
  std::uint64_t popped = 0;
  for (Sample sample{}; last < kPushes;) {
    if (!ring.TryPop(sample)) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_GT(sample.number, last);
    ASSERT_EQ(sample.twice, 2 * sample.number);
    last = sample.number;
    ++popped;
  }
  writer.join();
  // The last value may have been tried, and counted, more than once.
  EXPECT_GE(popped + ring.dropped(), kPushes);
  EXPECT_LE(popped, kPushes);
}

TEST(SpscRingTest, PushAndPopNeverAllocate) {
  SpscRing<std::uint64_t> ring(8);
  const AllocationCounter allocated;
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    (void)ring.TryPush(i);
    if (i % 3 == 0) (void)ring.TryPop(value);
  }
  EXPECT_EQ(allocated.count(), 0u);
}

}  // namespace
}  // namespace tacho
