// The watchdog is fed by progress, not by being there.
#include "daemon/recorder/liveness.h"

#include <gtest/gtest.h>

#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

Progress Sweeps(std::uint64_t sweeps) {
  return {.sweeps = sweeps, .has_sources = true, .spool_busy_since = {}};
}

TEST(LivenessTest, RecorderThatSweepsIsAlive) {
  Liveness liveness(10s, 60s);
  EXPECT_TRUE(liveness.IsAlive(Sweeps(1), At(5)));
  EXPECT_TRUE(liveness.IsAlive(Sweeps(2), At(14)));
  EXPECT_TRUE(liveness.IsAlive(Sweeps(3), At(23)));
}

TEST(LivenessTest, RecorderWhoseSweepsStoodStillIsNot) {
  Liveness liveness(10s, 60s);
  EXPECT_TRUE(liveness.IsAlive(Sweeps(1), At(5)));
  EXPECT_TRUE(liveness.IsAlive(Sweeps(1), At(15)));
  EXPECT_FALSE(liveness.IsAlive(Sweeps(1), At(16)));
  EXPECT_TRUE(liveness.IsAlive(Sweeps(2), At(17)));
}

TEST(LivenessTest, WithoutSourcesNoSweepIsExpected) {
  Liveness liveness(10s, 60s);
  EXPECT_TRUE(liveness.IsAlive({}, At(5)));
  EXPECT_TRUE(liveness.IsAlive({}, At(500)));
}

TEST(LivenessTest, DiskThatDoesNotAnswerIsForgivenForAWhile) {
  Liveness liveness(10s, 60s);
  EXPECT_TRUE(liveness.IsAlive({.spool_busy_since = At(5)}, At(65)));
  EXPECT_FALSE(liveness.IsAlive({.spool_busy_since = At(5)}, At(66)));
}

}  // namespace
}  // namespace tacho
