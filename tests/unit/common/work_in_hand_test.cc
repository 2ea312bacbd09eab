// A watchdog asks for the oldest work, and leaves the idle alone.
#include "common/work_in_hand.h"

#include <gtest/gtest.h>
#include <memory>

#include "tests/support/fake_clock.h"

namespace tacho {
namespace {

TEST(WorkInHandTest, IdleSinceForEverIsNoWork) {
  FakeClock clock;
  const WorkInHand work(clock);
  clock.SetBoot(BootTimeOf(1'000'000));
  EXPECT_EQ(work.since(), std::nullopt);
}

TEST(WorkInHandTest, OldestPieceCountsUntilItIsDone) {
  FakeClock clock;
  WorkInHand work(clock);
  clock.SetBoot(BootTimeOf(10));
  auto slow = std::make_unique<WorkInHand::Piece>(work);
  clock.SetBoot(BootTimeOf(20));
  const WorkInHand::Piece quick(work);
  EXPECT_EQ(work.since(), BootTimeOf(10));
  slow.reset();
  EXPECT_EQ(work.since(), BootTimeOf(20));
}

}  // namespace
}  // namespace tacho
