// The question "events": what happened to the robots, and how far the answer may be believed.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr Nanos kHour = std::chrono::hours(1);

class EventsTest : public testing::Test {
 protected:
  Json Ask(Json::Object arguments = {}) { return world_.Ask("events", Json(std::move(arguments))); }
  static std::vector<std::string> KindsOf(const Json& answer) {
    std::vector<std::string> kinds;
    for (const Json& event : answer["events"].items())
      kinds.push_back(event["kind"].AsText());
    return kinds;
  }
  static Json::Object ByTheRobots(Json::Object arguments = {}) {
    arguments.emplace_back("kind", "[!r]*");  // not robot_admitted
    return arguments;
  }

  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  MadeBoot boot_{1};
  MadeBoot other_{2};
};

using Kinds = std::vector<std::string>;

TEST_F(EventsTest, PutsTheEventsOfAllRobotsInOrderOfWallTime) {
  auto first = world_.Call("rb12", boot_.id(), 118);  // its 100 s are kTestDay
  world_.clock.Advance(std::chrono::seconds(10));
  auto second = world_.Call("rb31", other_.id(), 7);  // its 100 s are 10 s later
  world_.Send(*first,
              {boot_.Opened(4, "mission", At(100)), boot_.Happened("throttle", "oc3", At(120)),
               boot_.Happened("sensor_lost", "tj", At(105))});
  world_.Send(*second, {other_.Happened("clock_stepped", "by 3 s", At(101))});
  const Json answer = Ask(ByTheRobots());
  EXPECT_EQ(KindsOf(answer), (Kinds{"throttle", "clock_stepped", "sensor_lost"}));
  const Json& newest = answer["events"].items()[0];
  EXPECT_EQ(newest["robot"].AsText(), "rb12");
  EXPECT_EQ(newest["run"].AsText(), "rb12/118/4");
  EXPECT_EQ(newest["severity"].AsText(), "warning");
  EXPECT_EQ(newest["detail"].AsText(), "oc3");
  EXPECT_EQ(newest["by"].AsText(), "robot");
  EXPECT_EQ(newest["at_wall_ns"].AsInt(), Count(kTestDay + std::chrono::seconds(20)));
  EXPECT_EQ(newest["clock_trust"].AsText(), "server");
  EXPECT_TRUE(answer["events"].items()[1]["run"].is_null());
}

TEST_F(EventsTest, HoldsWhatTheServerItselfNoted) {
  world_.Call("rb12", boot_.id());
  const Json answer = Ask();
  ASSERT_EQ(KindsOf(answer), Kinds{"robot_admitted"});
  const Json& event = answer["events"].items()[0];
  EXPECT_EQ(event["by"].AsText(), "server");
  EXPECT_EQ(event["at_wall_ns"].AsInt(), Count(kTestDay));
  EXPECT_TRUE(event["boot_ns"].is_null());
  EXPECT_TRUE(event["run"].is_null());
}

TEST_F(EventsTest, TakesRobotKindSeverityAndTimeAsFilters) {
  auto stream = world_.Call("rb12", boot_.id(), 118);
  world_.Send(*stream,
              {boot_.Happened("throttle", "", At(100)), boot_.Happened("sensor_lost", "", At(160)),
               boot_.Happened("throttle", "", At(220))});
  EXPECT_EQ(KindsOf(Ask({{"kind", "throttle"}})).size(), 2u);
  EXPECT_EQ(KindsOf(Ask({{"severity", "warning"}})).size(), 3u);
  EXPECT_EQ(KindsOf(Ask({{"severity", "error"}})).size(), 0u);
  EXPECT_EQ(KindsOf(Ask({{"robot", "rb3*"}})).size(), 0u);
  const WallTime minute = kTestDay + std::chrono::minutes(1);
  EXPECT_EQ(KindsOf(Ask({{"since_wall_ns", Count(minute)}})), (Kinds{"throttle", "sensor_lost"}));
  EXPECT_EQ(KindsOf(Ask(ByTheRobots({{"until_wall_ns", Count(minute)}}))),
            (Kinds{"sensor_lost", "throttle"}));
  EXPECT_NE(Ask({{"severity", "bad"}})["error"].AsText().find("info, warning or error"),
            std::string::npos);
}

TEST_F(EventsTest, SaysHowManyMatchBeyondTheLimit) {
  auto stream = world_.Call("rb12", boot_.id(), 118);
  for (int i = 0; i < 5; ++i)
    world_.Send(*stream, {boot_.Happened("throttle", std::to_string(i), At(100 + i))});
  const Json answer = Ask({{"kind", "throttle"}, {"limit", 2}});
  ASSERT_EQ(answer["events"].items().size(), 2u);
  EXPECT_EQ(answer["events"].items()[0]["detail"].AsText(), "4");
  EXPECT_EQ(answer["more"].AsInt(), 3);
  EXPECT_TRUE(answer["is_whole"].AsBool());
}

// A boot drained later, whose clock nobody knows: before the boot that calls, and nothing more.
TEST_F(EventsTest, ListsAnEventWithoutATimeWhereverItMayBelong) {
  auto stream = world_.Call("rb12", boot_.id(), 118);
  world_.Send(*stream,
              {boot_.Report(118), other_.Report(117), other_.Happened("throttle", "", At(50))});
  const Json all = Ask({{"kind", "throttle"}});
  ASSERT_EQ(KindsOf(all), Kinds{"throttle"});
  EXPECT_TRUE(all["events"].items()[0]["at_wall_ns"].is_null());
  EXPECT_EQ(all["events"].items()[0]["clock_trust"].AsText(), "never");
  // The boot that calls began 100 s before the day: no event of the one before is of this day.
  EXPECT_EQ(KindsOf(Ask({{"kind", "throttle"}, {"since_wall_ns", Count(kTestDay)}})).size(), 0u);
  EXPECT_EQ(KindsOf(Ask({{"kind", "throttle"}, {"since_wall_ns", Count(kTestDay - kHour)}})).size(),
            1u);
}

TEST_F(EventsTest, NamesWhoWasAskedAndWhoseEventsMayNotBeHere) {
  auto stream = world_.Call("rb12", boot_.id(), 118);
  world_.Send(*stream, {boot_.Report(118), boot_.Lost(Tier::kEvents, {Seq{9}, 4}, "evicted")});
  EXPECT_TRUE(world_.roster->UseFile({{"rb40", true, false, {}}}).ok());
  world_.clock.Advance(kHour);
  const Json robots = Ask()["robots"];
  ASSERT_EQ(robots.items().size(), 2u);
  EXPECT_EQ(robots.items()[0]["robot"].AsText(), "rb12");
  EXPECT_EQ(robots.items()[0]["state"].AsText(), "silent");
  EXPECT_EQ(robots.items()[0]["lost_records"].AsInt(), 4 + 6);  // and 3 to 8 without a word
  EXPECT_EQ(robots.items()[1]["state"].AsText(), "never");
  EXPECT_EQ(robots.items()[1]["lost_records"].AsInt(), 0);
  EXPECT_EQ(Ask({{"robot", "nosuch"}})["robots"].items().size(), 0u);
}

}  // namespace
}  // namespace tacho
