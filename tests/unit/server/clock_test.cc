// Boot time to wall time: by the best clock there is, forwards and backwards.
#include "server/clock.h"

#include <gtest/gtest.h>
#include <limits>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr Nanos kYear = std::chrono::hours(24 * 365);

TEST(WallOf, BelievesNobodyWhereNobodyWasSet) {
  const std::vector<ClockPair> pairs = {{At(1), WallTimeOf(0), ClockTrust::kNever}};
  EXPECT_FALSE(WallOf(At(5), pairs).wall.has_value());
  EXPECT_EQ(WallOf(At(5), pairs).trust, ClockTrust::kNever);
  EXPECT_FALSE(WallOf(At(5), {}).wall.has_value());
}

TEST(WallOf, PrefersTheBetterTrustedPairHoweverFar) {
  const std::vector<ClockPair> pairs = {{At(10), kTestDay + kYear, ClockTrust::kRtc},
                                        {At(11), kTestDay + kYear, ClockTrust::kServer},
                                        {At(100), kTestDay, ClockTrust::kNtp}};
  const WallEstimate wall = WallOf(At(10), pairs);
  EXPECT_EQ(wall.wall, kTestDay - std::chrono::seconds(90));
  EXPECT_EQ(wall.trust, ClockTrust::kNtp);
}

TEST(WallOf, UsesTheNewestPairAtOrBefore) {
  const std::vector<ClockPair> pairs = {
      {At(10), kTestDay, ClockTrust::kNtp},
      {At(20), kTestDay + std::chrono::seconds(11), ClockTrust::kGps},
      {At(30), kTestDay + std::chrono::seconds(20), ClockTrust::kNtp}};
  EXPECT_EQ(WallOf(At(25), pairs).wall, kTestDay + std::chrono::seconds(16));
  EXPECT_EQ(WallOf(At(25), pairs).trust, ClockTrust::kGps);
  EXPECT_EQ(WallOf(At(5), pairs).wall, kTestDay - std::chrono::seconds(5));
}

TEST(WallOf, SamplesFrom1970MoveToTheRightDateOnceNtpArrives) {
  TempFolder folder;
  ServerWorld world(folder.path());
  MadeBoot boot;
  auto stream = world.Call("rb12", boot.id(), 1);
  world.Send(*stream, {boot.DictionaryRecord(), boot.Opened(1, "mission", At(1)),
                       boot.Pair(At(1), WallTimeOf(1'000'000'000), ClockTrust::kNever),
                       boot.Seconds(1, 13)});
  const WallTime right = kTestDay + std::chrono::hours(5);
  world.Send(*stream, {boot.Pair(At(14), right, ClockTrust::kNtp), boot.Seconds(14, 7)});
  const Json run = world.Ask("run", Json::Object{{"run", "rb12@latest"}})["run"];
  EXPECT_EQ(run["opened_wall_ns"].AsInt(), Count(right - std::chrono::seconds(13)));
  EXPECT_EQ(run["clock_trust"].AsText(), "ntp");
}

TEST(WallOf, IgnoresAClockThatShowsNoDate) {
  TempFolder folder;
  ServerWorld world(folder.path());
  MadeBoot boot;
  auto stream = world.Call("rb12", boot.id(), 1);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  world.Send(*stream, {boot.DictionaryRecord(), boot.Opened(1, "mission", At(1)),
                       boot.Pair(At(1), WallTimeOf(kMost), ClockTrust::kGps),
                       boot.Pair(At(2), WallTimeOf(-kMost), ClockTrust::kGps)});
  EXPECT_TRUE(stream->refusals().empty());
  const Json run = world.Ask("run", Json::Object{{"run", "rb12@latest"}})["run"];
  EXPECT_EQ(run["clock_trust"].AsText(), "server");
}

TEST(WallOf, JumpsOfTenYearsChangeNoOrderAndNoCount) {
  TempFolder folder;
  ServerWorld world(folder.path());
  MadeBoot boot;
  auto stream = world.Call("rb12", boot.id(), 1);
  world.Send(*stream,
             {boot.DictionaryRecord(), boot.Opened(1, "mission", At(1)), boot.Seconds(1, 10),
              boot.Pair(At(10), kTestDay, ClockTrust::kNtp),
              boot.Pair(At(20), kTestDay + 10 * kYear, ClockTrust::kNtp), boot.Seconds(11, 20),
              boot.Pair(At(30), kTestDay - 10 * kYear, ClockTrust::kNtp), boot.Seconds(31, 10)});
  const Json answer =
      world.Ask("series", Json::Object{{"run", "rb12@latest"}, {"metric", "temperature"}});
  const auto& points = answer["series"].items()[0]["points"].items();
  ASSERT_EQ(points.size(), 40u);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(points[i].items()[1].AsInt(), points[i - 1].items()[1].AsInt());
  }
}

}  // namespace
}  // namespace tacho
