// The question "boots": every boot of a robot, and how it ended as far as anybody said.
#include <gtest/gtest.h>
#include <string>

#include "server/boot_end.h"
#include "tests/support/server_world.h"

namespace tacho {
namespace {

BootReport ReportOf(std::uint64_t counter, bool was_clean, std::string words) {
  BootReport report;
  report.boot_counter = counter;
  report.previous_ended_clean = was_clean;
  report.previous_end = std::move(words);
  return report;
}

BootRow Boot(std::uint64_t counter) {
  BootRow boot;
  boot.counter = counter;
  return boot;
}

TEST(BootEnd, IsOpenWhileTheRobotSpeaks) {
  EXPECT_EQ(EndingOf(Boot(7), {true, false, std::nullopt}).end, BootEnd::kOpen);
  EXPECT_EQ(EndingOf(Boot(7), {true, true, std::nullopt}).end, BootEnd::kSilent);
}

TEST(BootEnd, TellsALeaveFromOtherLastWords) {
  BootRow boot = Boot(7);
  boot.last_word = LastWord{"stopping", kTestDay};
  EXPECT_EQ(EndingOf(boot, {true, true, std::nullopt}).end, BootEnd::kLeft);
  boot.last_word = LastWord{"the server does not answer", kTestDay};
  EXPECT_EQ(EndingOf(boot, {true, true, std::nullopt}).end, BootEnd::kSilent);
  EXPECT_EQ(EndingOf(boot, {true, true, std::nullopt}).detail, "the server does not answer");
}

TEST(BootEnd, IsWhatTheNextBootFound) {
  EXPECT_EQ(EndingOf(Boot(7), {false, false, ReportOf(8, true, "stopped")}).end, BootEnd::kClean);
  EXPECT_EQ(EndingOf(Boot(7), {false, true, ReportOf(8, false, "killed")}).end, BootEnd::kUnclean);
  EXPECT_EQ(EndingOf(Boot(7), {false, true, ReportOf(8, false, "killed")}).detail, "killed");
}

TEST(BootEnd, IsNotGuessed) {
  // No report, one that found nothing, one of a boot after another, boots without a counter.
  EXPECT_EQ(EndingOf(Boot(7), {false, false, std::nullopt}).end, BootEnd::kUnknown);
  EXPECT_EQ(EndingOf(Boot(7), {false, false, ReportOf(8, true, "")}).end, BootEnd::kUnknown);
  EXPECT_EQ(EndingOf(Boot(7), {false, false, ReportOf(9, true, "stopped")}).end, BootEnd::kUnknown);
  EXPECT_EQ(EndingOf(Boot(0), {false, false, ReportOf(0, true, "stopped")}).end, BootEnd::kUnknown);
}

class BootsTest : public testing::Test {
 protected:
  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  MadeBoot first_{1};
  MadeBoot second_{2};
};

TEST_F(BootsTest, ListsThemNewestFirstWithWhatCameOfThem) {
  auto stream = world_.Call("rb12", first_.id(), 117);
  world_.Send(*stream,
              {first_.Report(117), first_.DictionaryRecord(), first_.Opened(1, "idle", At(1)),
               first_.Seconds(1, 10), first_.Lost(Tier::kSummaries, {Seq{11}, 5}, "evicted")});
  world_.clock.Advance(std::chrono::hours(1));
  stream = world_.Call("rb12", second_.id(), 118);
  world_.Send(*stream, {second_.Report(118)});
  const Json answer = world_.Ask("boots");
  ASSERT_EQ(answer["boots"].items().size(), 2u);
  EXPECT_EQ(answer["robots"].AsInt(), 1);
  EXPECT_EQ(answer["more"].AsInt(), 0);
  const Json& newest = answer["boots"].items()[0];
  EXPECT_EQ(newest["boot_counter"].AsInt(), 118);
  EXPECT_EQ(newest["end"].AsText(), "open");
  EXPECT_TRUE(newest["first_wall_ns"].is_null());  // it brought no reading yet
  const Json& before = answer["boots"].items()[1];
  EXPECT_EQ(before["boot_counter"].AsInt(), 117);
  EXPECT_EQ(before["boot_id"].AsText(), first_.id().ToString());
  EXPECT_EQ(before["end"].AsText(), "unknown");  // the report of 118 found nothing
  EXPECT_EQ(before["runs"].AsInt(), 1);
  EXPECT_EQ(before["stored_records"].AsInt(), 4 + 10);
  EXPECT_EQ(before["gap_records"].AsInt(), 5);
  EXPECT_EQ(before["missing_records"].AsInt(), 0);
  EXPECT_EQ(before["first_wall_ns"].AsInt(), Count(kTestDay - std::chrono::seconds(99)));
  EXPECT_EQ(before["last_wall_ns"].AsInt(), Count(kTestDay - std::chrono::seconds(90)));
  EXPECT_EQ(before["clock_trust"].AsText(), "server");
}

// A boot whose clock is off cannot come before the one that followed it.
TEST_F(BootsTest, KeepTheOrderInWhichTheyRan) {
  auto stream = world_.Call("rb12", first_.id(), 117);
  world_.Send(*stream, {first_.Report(117),
                        first_.Pair(At(50), kTestDay + std::chrono::hours(48), ClockTrust::kNtp)});
  stream = world_.Call("rb12", second_.id(), 118);
  world_.Send(*stream, {second_.Report(118)});
  const Json boots = world_.Ask("boots")["boots"];
  EXPECT_EQ(boots.items()[0]["boot_counter"].AsInt(), 118);
  EXPECT_EQ(boots.items()[1]["boot_counter"].AsInt(), 117);
}

TEST_F(BootsTest, TakeRobotAndLimit) {
  world_.Call("rb12", first_.id(), 117);
  world_.clock.Advance(std::chrono::hours(1));
  world_.Call("rb31", second_.id(), 7);
  const Json one = world_.Ask("boots", Json::Object{{"limit", 1}});
  ASSERT_EQ(one["boots"].items().size(), 1u);
  EXPECT_EQ(one["boots"].items()[0]["robot"].AsText(), "rb31");
  EXPECT_EQ(one["more"].AsInt(), 1);
  EXPECT_EQ(world_.Ask("boots", Json::Object{{"robot", "rb1*"}})["boots"].items().size(), 1u);
  EXPECT_EQ(world_.Ask("boots", Json::Object{{"robot", "nosuch"}})["robots"].AsInt(), 0);
}

TEST_F(BootsTest, KnowTheLeaveOfASilentRobot) {
  auto stream = world_.Call("rb12", first_.id(), 117);
  world_.Send(*stream, {first_.Report(117)});
  world_.ingest().OnGoodbye(*stream, "stopping");
  world_.ingest().OnGone(*stream);
  world_.Settle();
  world_.clock.Advance(std::chrono::hours(1));
  const Json boots = world_.Ask("boots")["boots"];
  EXPECT_EQ(boots.items()[0]["end"].AsText(), "left");
  EXPECT_EQ(boots.items()[0]["end_detail"].AsText(), "stopping");
}

}  // namespace
}  // namespace tacho
