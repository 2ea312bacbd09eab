// Clock pairs: at start, each minute, at steps, and in 1970.
#include "daemon/recorder/clock_keeper.h"

#include <gtest/gtest.h>

#include "tests/support/fake_clock.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

TEST(ClockKeeperTest, PairIsGivenAtStartAndEachMinute) {
  FakeClock clock(At(10));
  ClockKeeper keeper(clock);
  EXPECT_TRUE(keeper.Look().pair.has_value());
  clock.Advance(59s);
  EXPECT_FALSE(keeper.Look().pair.has_value());
  clock.Advance(1s);
  const auto note = keeper.Look();
  ASSERT_TRUE(note.pair.has_value());
  EXPECT_EQ(note.pair->boot, At(70));
  EXPECT_FALSE(note.stepped.has_value());
}

TEST(ClockKeeperTest, StepFrom1970ToTodayIsToldWithItsPair) {
  FakeClock clock(At(13));
  ClockKeeper keeper(clock);
  EXPECT_LT(keeper.Look().pair->wall, WallTimeOf(0) + 24h);
  clock.Advance(1s);
  clock.SetWall(WallTimeOf(1'800'000'000'000'000'000));
  const auto note = keeper.Look();
  ASSERT_TRUE(note.stepped.has_value());
  EXPECT_EQ(note.stepped->kind, "clock_stepped");
  EXPECT_EQ(note.stepped->at, At(14));
  ASSERT_TRUE(note.pair.has_value());
  EXPECT_EQ(note.pair->wall, WallTimeOf(1'800'000'000'000'000'000));
  EXPECT_FALSE(keeper.Look().stepped.has_value()) << "a step is told once";
}

TEST(ClockKeeperTest, StepsOfTenYearsBackAreSteps) {
  FakeClock clock(At(13));
  clock.SetWall(WallTimeOf(1'800'000'000'000'000'000));
  ClockKeeper keeper(clock);
  (void)keeper.Look();  // the first pair, ignored since only the step is of interest
  clock.SetWall(WallTimeOf(1'500'000'000'000'000'000));
  EXPECT_TRUE(keeper.Look().stepped.has_value());
}

TEST(ClockKeeperTest, SlewingIsNoStep) {
  FakeClock clock(At(13));
  ClockKeeper keeper(clock);
  (void)keeper.Look();  // as above, ignored
  clock.Advance(30s);
  clock.SetWall(clock.Pair().wall + 30ms);
  const auto note = keeper.Look();
  EXPECT_FALSE(note.stepped.has_value());
  EXPECT_FALSE(note.pair.has_value());
}

TEST(ClockKeeperTest, ChangeOfTrustIsWorthAPair) {
  FakeClock clock(At(13));
  ClockKeeper keeper(clock);
  (void)keeper.Look();  // as above, ignored
  clock.SetTrust(ClockTrust::kNtp);
  const auto note = keeper.Look();
  ASSERT_TRUE(note.pair.has_value());
  EXPECT_EQ(note.pair->trust, ClockTrust::kNtp);
}

}  // namespace
}  // namespace tacho
