// The server is away, the clock starts in 1970 and steps to today: nothing is lost unseen, and all
// is dated right.
#include <string>

#include "tests/e2e/fleet.h"
#include "tests/e2e/robot.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kToday = WallTimeOf(1'790'000'000'000'000'000);

std::string Line(int second) {
  return "RAM 2100/7620MB (lfb 4x4MB) CPU [3%@729,4%@729] cpu@" + std::to_string(40 + second % 9) +
         ".5C VDD_IN " + std::to_string(4000 + second) + "mW/4000mW";
}

struct Totals {
  std::uint64_t stored = 0;
  std::uint64_t gaps = 0;
};
Totals TotalsOf(TestFleet& fleet) {
  const RecordCounts counts = fleet.store().CountsOf("rb12");
  return {counts.stored, counts.gaps};
}

// Points of the VDD_IN rail over the whole boot, as [wall_ns, boot_ns, W].
Json::Array RailOf(TestFleet& fleet) {
  const Json answer = fleet.Ask("series", {{"run", "rb12/1/1"}, {"metric", "power_rail"}});
  EXPECT_EQ(answer["series"].items().size(), 1u);
  return answer["series"].items().empty() ? Json::Array{}
                                          : answer["series"].items()[0]["points"].items();
}

TEST(AwayTest, ClockOf1970StepsAndEverySampleMovesToTheRightDate) {
  TempFolder folder;
  FakeClock clock(BootTimeOf(13'000'000'000));
  clock.SetWall(WallTimeOf(13'000'000'000));
  TestRobot robot(folder.path(), clock, SpoolIn(folder.path()));
  for (int second = 0; second < 90; ++second) {
    ASSERT_NO_FATAL_FAILURE(robot.Say(Line(second), 1s));
    if (second == 44) {
      clock.SetWall(kToday);
      clock.SetTrust(ClockTrust::kNtp);
      robot.LookAtClock();
    }
  }
  const BootTime at_step = BootTimeOf(13'000'000'000) + 45s;
  robot.StopRecorder();

  TestFleet fleet(folder.path(), clock);
  TestUplink uplink(robot.spool_folder(), clock, fleet.endpoint(), robot.boot());
  ASSERT_TRUE(WaitFor([&] { return TotalsOf(fleet).stored == robot.produced(); }))
      << TotalsOf(fleet).stored << " of " << robot.produced();
  EXPECT_EQ(TotalsOf(fleet).gaps, 0u);
  const auto points = RailOf(fleet);
  ASSERT_EQ(points.size(), 90u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& point = points[i].items();
    EXPECT_DOUBLE_EQ(point[2].AsDouble(), (4000 + static_cast<double>(i)) / 1000) << i;
    const BootTime boot = BootTimeOf(point[1].AsInt());
    EXPECT_EQ(point[0].AsInt(), Count(kToday + (boot - at_step))) << i;
  }
}

TEST(AwayTest, WhatASmallSpoolCannotHoldIsNamedAsGaps) {
  TempFolder folder;
  FakeClock clock(BootTimeOf(5'000'000'000));
  clock.SetWall(kToday);
  TestRobot robot(
      folder.path(), clock,
      {.folder = folder.path() / "spool", .max_bytes = 256 << 10, .segment_bytes = 32 << 10});
  for (int second = 0; second < 4000; ++second) {
    ASSERT_NO_FATAL_FAILURE(robot.Say(Line(second), 1s));
  }
  robot.StopRecorder();

  TestFleet fleet(folder.path(), clock);
  TestUplink uplink(robot.spool_folder(), clock, fleet.endpoint(), robot.boot());
  ASSERT_TRUE(WaitFor([&] {
    const Totals totals = TotalsOf(fleet);
    return totals.stored + totals.gaps >= robot.produced();
  }));
  const Totals totals = TotalsOf(fleet);
  EXPECT_EQ(totals.stored + totals.gaps, robot.produced());
  EXPECT_GT(totals.gaps, 0u);
  // The newest survive, in order.
  const auto points = RailOf(fleet);
  ASSERT_FALSE(points.empty());
  EXPECT_DOUBLE_EQ(points.back().items()[2].AsDouble(), 7.999);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_LT(points[i - 1].items()[1].AsInt(), points[i].items()[1].AsInt());
  }
}

TEST(AwayTest, AServerThatComesAndGoesLosesAndRepeatsNothing) {
  TempFolder folder;
  FakeClock clock(BootTimeOf(5'000'000'000));
  clock.SetWall(kToday);
  TestRobot robot(folder.path(), clock, SpoolIn(folder.path()));
  auto fleet = std::make_unique<TestFleet>(folder.path(), clock);
  TestUplink uplink(robot.spool_folder(), clock, fleet->endpoint(), robot.boot());
  for (int second = 0; second < 300; ++second) {
    ASSERT_NO_FATAL_FAILURE(robot.Say(Line(second), 1s));
    if (second % 50 == 20) fleet.reset();
    if (second % 50 == 40) fleet = std::make_unique<TestFleet>(folder.path(), clock);
    if (second % 7 == 0) uplink.Wake();
  }
  robot.StopRecorder();
  ASSERT_TRUE(WaitFor([&] { return TotalsOf(*fleet).stored >= robot.produced(); }));
  EXPECT_EQ(TotalsOf(*fleet).stored, robot.produced());
  EXPECT_EQ(RailOf(*fleet).size(), 300u);
}

TEST(AwayTest, AServerThatLostItsStoreGetsAgainWhatTheSpoolHolds) {
  TempFolder folder;
  FakeClock clock(BootTimeOf(5'000'000'000));
  clock.SetWall(kToday);
  TestRobot robot(folder.path(), clock, SpoolIn(folder.path()));
  auto fleet = std::make_unique<TestFleet>(folder.path(), clock);
  TestUplink uplink(robot.spool_folder(), clock, fleet->endpoint(), robot.boot());
  const auto say = [&](int from, int to) {
    for (int second = from; second < to; ++second)
      ASSERT_NO_FATAL_FAILURE(robot.Say(Line(second), 1s));
  };
  say(0, 100);
  uplink.Wake();
  ASSERT_TRUE(WaitFor([&] { return TotalsOf(*fleet).stored > 90; }));
  fleet.reset();
  std::filesystem::remove_all(folder.path() / "server");
  fleet = std::make_unique<TestFleet>(folder.path(), clock);
  say(100, 200);
  robot.StopRecorder();
  ASSERT_TRUE(WaitFor([&] { return TotalsOf(*fleet).stored >= robot.produced(); }))
      << TotalsOf(*fleet).stored << " of " << robot.produced();
  EXPECT_EQ(RailOf(*fleet).size(), 200u);
}

}  // namespace
}  // namespace tacho
