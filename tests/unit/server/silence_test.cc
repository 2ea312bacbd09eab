// A robot that falls silent is an event, once a silence, whatever happens to the server meanwhile.
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "server/housekeeper.h"
#include "tests/support/fake_scheduler.h"
#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr Nanos kMinute = std::chrono::minutes(1);
using Kinds = std::vector<std::string>;

class SilenceTest : public testing::Test {
 protected:
  SilenceTest() { Start(); }

  void Start() {
    world_ = std::make_unique<ServerWorld>(folder_.path());
    world_->clock.SetWall(now_);
    housekeeper_ = std::make_unique<Housekeeper>(
        loop_, world_->clock, *world_->store, *world_->writer, world_->presence, *world_->rollups,
        *world_->evaluator, world_->silence, HousekeeperConfig{});
  }
  // The server is away for so long.
  void RestartAfter(Nanos away) {
    now_ = world_->clock.Pair().wall + away;
    housekeeper_.reset();
    world_.reset();
    Start();
  }
  // What the timer of contacts does.
  void Tick() {
    housekeeper_->NoteContacts();
    housekeeper_->NoteSilence();
    world_->Settle();
  }
  void TakeLeave(FakeRobotStream& stream) {
    world_->ingest().OnGoodbye(stream, "stopping");
    world_->ingest().OnGone(stream);
    world_->Settle();
  }
  void Wait(Nanos time) {
    world_->clock.Advance(time);
    Tick();
  }
  void Expect(const std::string& robot, bool is_retired = false) {
    roster_.push_back({robot, true, is_retired, {}});
    EXPECT_TRUE(world_->roster->UseFile(roster_).ok());
  }
  // Oldest first, without what is noted of every robot.
  std::vector<RobotEvent> Events(const std::string& robot = "rb12") {
    auto events = *world_->store->RobotEvents(robot, {});
    std::erase_if(events, [](const RobotEvent& e) { return e.kind == "robot_admitted"; });
    return {events.rbegin(), events.rend()};
  }
  Kinds KindsOf(const std::string& robot = "rb12") {
    Kinds kinds;
    for (const RobotEvent& event : Events(robot))
      kinds.push_back(event.kind);
    return kinds;
  }
  std::string StateOf() { return world_->Ask("robots")["robots"].items()[0]["state"].AsText(); }

  TempFolder folder_;
  std::vector<RosterEntry> roster_;
  WallTime now_ = kTestDay;
  FakeScheduler loop_;
  MadeBoot boot_;
  std::unique_ptr<ServerWorld> world_;
  std::unique_ptr<Housekeeper> housekeeper_;
};

TEST_F(SilenceTest, IsNotedOnceAndEndsWithARecord) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  world_->ingest().OnGone(*stream);
  Tick();
  for (int i = 0; i < 3; ++i)
    Wait(6 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_EQ(Events()[0].at, kTestDay + 6 * kMinute);
  EXPECT_EQ(Events()[0].severity, Severity::kWarning);
  EXPECT_EQ(Events()[0].detail, "no record for 360 s, and it took no leave");
  EXPECT_EQ(StateOf(), "silent");
  // An uplink that calls while its recorder is dead is no sign of life.
  stream = world_->Call("rb12", boot_.id());
  Tick();
  EXPECT_EQ(StateOf(), "silent");
  EXPECT_EQ(KindsOf(), Kinds{"robot_silent"});
  world_->Send(*stream, {boot_.Seconds(1, 10)});
  Tick();
  EXPECT_EQ(StateOf(), "live");
  ASSERT_EQ(KindsOf(), (Kinds{"robot_silent", "robot_back"}));
  EXPECT_EQ(Events()[1].detail, "heard of again after 1080 s");
  EXPECT_FALSE(world_->store->Robots()->front().silent_since.has_value());
  Wait(6 * kMinute);
  EXPECT_EQ(KindsOf(), (Kinds{"robot_silent", "robot_back", "robot_silent"}));
}

TEST_F(SilenceTest, TellsADeadRecorderUnderALiveUplink) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  Wait(6 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_NE(Events()[0].detail.find("its recorder may be dead"), std::string::npos);
}

TEST_F(SilenceTest, TellsARobotThatTookItsLeave) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  TakeLeave(*stream);
  Wait(6 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_EQ(Events()[0].detail, "no record for 360 s: it took its leave (stopping)");
  EXPECT_EQ(Events()[0].severity, Severity::kInfo);
}

TEST_F(SilenceTest, MissesAnExpectedRobotThoughItTookItsLeave) {
  Expect("rb12");
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  TakeLeave(*stream);
  Wait(6 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_EQ(Events()[0].severity, Severity::kWarning);
  EXPECT_NE(Events()[0].detail.find("took its leave"), std::string::npos);
}

// A goodbye counts until the robot speaks again.
TEST_F(SilenceTest, ForgetsALeaveAfterWhichTheRobotSpoke) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  TakeLeave(*stream);
  Wait(kMinute);
  stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.Seconds(1, 10)});
  world_->ingest().OnGone(*stream);
  Wait(6 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_NE(Events()[0].detail.find("took no leave"), std::string::npos) << Events()[0].detail;
}

// "took leave" hid every later crash of the boot, and a step of the clock made one of a crash.
TEST_F(SilenceTest, ForgetsALeaveThoughTheWallClockStepsBackMeanwhile) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  TakeLeave(*stream);
  world_->clock.SetWall(world_->clock.Pair().wall - std::chrono::hours(1));
  stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.Seconds(1, 10)});
  world_->ingest().OnGone(*stream);
  Wait(6 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_EQ(Events()[0].severity, Severity::kWarning) << Events()[0].detail;
  EXPECT_EQ(world_->Ask("boots")["boots"].items()[0]["end"].AsText(), "silent");
}

TEST_F(SilenceTest, IsNotedAnewWhenTheRobotIsExpectedFromNowOn) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  TakeLeave(*stream);
  Wait(6 * kMinute);
  RosterChange change;
  change.robot = "rb12";
  change.is_expected = true;
  ASSERT_TRUE(world_->roster->Change(change, "anna").ok());
  Tick();
  Tick();
  ASSERT_EQ(KindsOf(), (Kinds{"robot_silent", "robot_silent"}));
  EXPECT_EQ(Events()[1].severity, Severity::kWarning);
}

TEST_F(SilenceTest, OfARobotThatWasReportedIsNotReportedAgainByARestart) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  world_->ingest().OnGone(*stream);
  Wait(6 * kMinute);
  RestartAfter(kMinute);
  Wait(6 * kMinute);
  EXPECT_EQ(KindsOf(), Kinds{"robot_silent"});
  stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.Seconds(1, 10)});
  Tick();
  EXPECT_EQ(KindsOf(), (Kinds{"robot_silent", "robot_back"}));
}

TEST_F(SilenceTest, OfARobotThatNeverCallsAfterARestartIsReportedOnceTheServerHasListened) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  Tick();
  RestartAfter(60 * kMinute);
  Wait(4 * kMinute);
  EXPECT_EQ(KindsOf(), Kinds{});
  for (int i = 0; i < 3; ++i)
    Wait(2 * kMinute);
  ASSERT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_EQ(Events()[0].detail,
            "no record for 3960 s; the server itself has been there for 360 s of it");
}

TEST_F(SilenceTest, OfAnExpectedRobotThatNeverCalledIsNotedOnce) {
  Wait(60 * kMinute);
  Expect("rb40");
  Wait(4 * kMinute);
  EXPECT_EQ(KindsOf("rb40"), Kinds{});
  for (int i = 0; i < 3; ++i)
    Wait(2 * kMinute);
  ASSERT_EQ(KindsOf("rb40"), Kinds{"robot_silent"});
  EXPECT_EQ(Events("rb40")[0].detail, "expected, and never heard of");
  RestartAfter(kMinute);
  Wait(6 * kMinute);
  EXPECT_EQ(KindsOf("rb40"), Kinds{"robot_silent"});
  auto stream = world_->Call("rb40", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  Tick();
  ASSERT_EQ(KindsOf("rb40"), (Kinds{"robot_silent", "robot_back"}));
  EXPECT_NE(Events("rb40")[1].detail.find("for the first time"), std::string::npos);
}

TEST_F(SilenceTest, OfARetiredRobotIsNoEvent) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  Tick();
  Expect("rb12", true);
  Expect("rb40", true);
  Wait(60 * kMinute);
  EXPECT_EQ(KindsOf(), Kinds{});
  EXPECT_EQ(KindsOf("rb40"), Kinds{});
}

TEST_F(SilenceTest, IsNotMadeByAStepOfTheServersWallClock) {
  auto stream = world_->Call("rb12", boot_.id());
  world_->Send(*stream, {boot_.DictionaryRecord()});
  world_->clock.SetWall(kTestDay + std::chrono::hours(24));
  Tick();
  EXPECT_EQ(KindsOf(), Kinds{});
  EXPECT_EQ(StateOf(), "live");
  // And a clock that is set back hides none.
  world_->clock.SetWall(kTestDay - std::chrono::hours(24));
  Wait(6 * kMinute);
  EXPECT_EQ(KindsOf(), Kinds{"robot_silent"});
  EXPECT_EQ(StateOf(), "silent");
}

}  // namespace
}  // namespace tacho
