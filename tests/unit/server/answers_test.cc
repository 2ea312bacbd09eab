// The five questions, asked of a small fleet.
#include "server/answers.h"

#include <gtest/gtest.h>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr const char* kBudgets = R"(
[[budget]]
name = "cool"
metric = "temperature"
statistic = "max"
max = "50 C"

[[budget]]
name = "power"
metric = "power_rail"
statistic = "max"
max = "21 W"

[[budget]]
name = "fan"
metric = "fan_speed"
statistic = "max"
max = "5000"
)";

class AnswersTest : public testing::Test {
 protected:
  AnswersTest() {
    stream_ = world_.Call("rb12", boot_.id(), 118);
    world_.UseBudgets(kBudgets);
    world_.Send(*stream_,
                {boot_.Report(118), boot_.DictionaryRecord(), boot_.Opened(1, "idle", At(1)),
                 boot_.Seconds(1, 10), boot_.Closed(1, "idle", At(10.5), "next run"),
                 boot_.Opened(2, "mission", At(10.5)), boot_.Seconds(11, 20),
                 boot_.Closed(2, "mission", At(30.5), "command"), boot_.Opened(3, "idle", At(30.5)),
                 boot_.Seconds(31, 5)});
    EXPECT_TRUE(stream_->refusals().empty());
  }

  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  MadeBoot boot_;
  std::shared_ptr<FakeRobotStream> stream_;
};

TEST_F(AnswersTest, ChecksWithWhatWasNotMeasured) {
  world_.UseBudgets(
      "[[budget]]\nname = \"far\"\nrobot = \"rb2*\"\nmetric = \"temperature\"\n"
      "statistic = \"max\"\nmax = \"50 C\"\n");
  const Json answer = world_.Ask("check", Json::Object{{"run", "rb12/118/2"}});
  EXPECT_EQ(answer["verdict"].AsText(), "NO_DATA");
  ASSERT_EQ(answer["skipped"].items().size(), 1u);
  EXPECT_EQ(answer["skipped"].items()[0]["budget"].AsText(), "far");
  EXPECT_EQ(answer["skipped"].items()[0]["why"].AsText(), "it is for robots rb2*");
  EXPECT_EQ(answer["throttling"].AsText(), "not measured");
}

// The idle run of a robot that fell silent: what it did not bring since counts as missing.
TEST_F(AnswersTest, ASilentRobotsOpenRunLosesItsCoverage) {
  world_.UseBudgets(
      "[[budget]]\nname = \"hot\"\nmetric = \"temperature\"\n"
      "statistic = \"max\"\nmax = \"90 C\"\n");
  const auto check = [&] { return world_.Ask("check", Json::Object{{"run", "rb12@idle"}}); };
  world_.clock.Advance(std::chrono::minutes(4));
  EXPECT_EQ(check()["verdict"].AsText(), "PASS");
  EXPECT_EQ(check()["silent_ns"].AsInt(), 0);
  EXPECT_EQ(world_.Ask("robots")["robots"].items()[0]["state"].AsText(), "live");
  world_.clock.Advance(std::chrono::minutes(4));  // the connection is still open
  EXPECT_EQ(check()["verdict"].AsText(), "NO_DATA");
  EXPECT_EQ(check()["silent_ns"].AsInt(), 480'000'000'000);
  EXPECT_LT(check()["run"]["coverage"].AsDouble(1), 0.02);
  EXPECT_EQ(world_.Ask("runs", Json::Object{{"idle", true}})["runs"].items()[0]["verdict"].AsText(),
            "NO_DATA");
  const Json robot = world_.Ask("robots")["robots"].items()[0];
  EXPECT_EQ(robot["state"].AsText(), "silent");
  EXPECT_TRUE(robot["connected"].AsBool());
}

TEST_F(AnswersTest, ListsTheRobots) {
  const Json answer = world_.Ask("robots");
  ASSERT_EQ(answer["robots"].items().size(), 1u);
  const Json& robot = answer["robots"].items()[0];
  EXPECT_EQ(robot["robot"].AsText(), "rb12");
  EXPECT_EQ(robot["state"].AsText(), "live");
  EXPECT_EQ(robot["boot_counter"].AsInt(), 118);
  EXPECT_EQ(robot["run"].AsText(), "rb12/118/3");
  EXPECT_EQ(robot["run_name"].AsText(), "idle");
  EXPECT_EQ(robot["model"].AsText(), "Orin");
  EXPECT_EQ(robot["power_mode"].AsText(), "30W");
  EXPECT_EQ(robot["stored_records"].AsInt(), 7 + 35);
  EXPECT_EQ(robot["clock_trust"].AsText(), "server");
}

TEST_F(AnswersTest, ListsRunsNewestFirstAndLeavesIdleOut) {
  const Json busy = world_.Ask("runs");
  ASSERT_EQ(busy["runs"].items().size(), 1u);
  EXPECT_EQ(busy["runs"].items()[0]["run"].AsText(), "rb12/118/2");
  const Json all = world_.Ask("runs", Json::Object{{"idle", true}});
  ASSERT_EQ(all["runs"].items().size(), 3u);
  EXPECT_EQ(all["runs"].items()[0]["run"].AsText(), "rb12/118/3");
  EXPECT_EQ(all["runs"].items()[2]["run"].AsText(), "rb12/118/1");
  EXPECT_FALSE(all["more"].AsBool(true));
}

TEST_F(AnswersTest, SaysThatThereAreMoreRuns) {
  const Json answer = world_.Ask("runs", Json::Object{{"idle", true}, {"limit", 2}});
  EXPECT_EQ(answer["runs"].items().size(), 2u);
  EXPECT_TRUE(answer["more"].AsBool());
}

TEST_F(AnswersTest, ChecksARunAgainstEveryBudget) {
  const Json answer = world_.Ask("check", Json::Object{{"run", "rb12@latest"}});
  EXPECT_EQ(answer["run"]["run"].AsText(), "rb12/118/2");
  EXPECT_EQ(answer["run"]["state"].AsText(), "closed");
  EXPECT_DOUBLE_EQ(answer["run"]["duration_s"].AsDouble(), 20);
  EXPECT_DOUBLE_EQ(answer["run"]["coverage"].AsDouble(), 1);
  const auto& budgets = answer["budgets"].items();
  ASSERT_EQ(budgets.size(), 3u);
  EXPECT_EQ(budgets[0]["verdict"].AsText(), "PASS");
  EXPECT_DOUBLE_EQ(budgets[0]["value"].AsDouble(), 43.75);
  EXPECT_EQ(budgets[1]["verdict"].AsText(), "FAIL");
  EXPECT_DOUBLE_EQ(budgets[1]["value"].AsDouble(), 22);
  EXPECT_EQ(budgets[2]["verdict"].AsText(), "NO_DATA");
  EXPECT_EQ(budgets[2]["reason"].AsText(), "no series matches");
  EXPECT_EQ(answer["verdict"].AsText(), "FAIL");
}

TEST_F(AnswersTest, ShowsARunWithItsSeriesAndSetup) {
  world_.Send(*stream_, {boot_.Happened("fan_stuck", "fan 1", At(20)),
                         boot_.Lost(Tier::kSummaries, {Seq{36}, 4}, "evicted")});
  const Json answer = world_.Ask("run", Json::Object{{"run", "rb12/118/2"}});
  EXPECT_EQ(answer["setup"]["model"].AsText(), "Orin");
  ASSERT_EQ(answer["series"].items().size(), 3u);
  const Json& temperature = answer["series"].items()[2];
  EXPECT_EQ(temperature["metric"].AsText(), "temperature");
  EXPECT_EQ(temperature["unit"].AsText(), "C");
  EXPECT_EQ(temperature["count"].AsInt(), 20);
  EXPECT_DOUBLE_EQ(temperature["min"].AsDouble(), 41.375);
  EXPECT_DOUBLE_EQ(temperature["last"].AsDouble(), 43.75);
  ASSERT_EQ(answer["events"].items().size(), 1u);
  EXPECT_EQ(answer["events"].items()[0]["kind"].AsText(), "fan_stuck");
  EXPECT_EQ(answer["events"].items()[0]["at_wall_ns"].AsInt(), Count(kTestDay) - 80'000'000'000);
  ASSERT_EQ(answer["gaps"].items().size(), 1u);
  EXPECT_EQ(answer["gaps"].items()[0]["tier"].AsText(), "T1");
}

TEST_F(AnswersTest, GivesTheReadingsOfARun) {
  const Json answer =
      world_.Ask("series", Json::Object{{"run", "rb12/118/2"}, {"metric", "power*"}});
  ASSERT_EQ(answer["series"].items().size(), 1u);
  const auto& points = answer["series"].items()[0]["points"].items();
  ASSERT_EQ(points.size(), 20u);
  EXPECT_EQ(points[0].items()[1].AsInt(), 11'000'000'000);
  EXPECT_DOUBLE_EQ(points[0].items()[2].AsDouble(), 22);
}

TEST_F(AnswersTest, GivesTheReadingsOfARobotBetweenTwoMoments) {
  const std::int64_t at_100 = Count(kTestDay);
  const Json answer =
      world_.Ask("series", Json::Object{{"robot", "rb12"},
                                        {"metric", "temperature"},
                                        {"since_wall_ns", at_100 - 95'000'000'000},
                                        {"until_wall_ns", at_100 - 80'000'000'000}});
  ASSERT_EQ(answer["series"].items().size(), 1u);
  EXPECT_EQ(answer["series"].items()[0]["points"].items().size(), 16u);  // 5 s to 20 s
  EXPECT_NEAR(answer["series"].items()[0]["coverage"].AsDouble(), 1, 0.07);
}

// The idle run is open: its newest reading is the end of what is known of it.
TEST_F(AnswersTest, GivesTheNewestReadingOfAnOpenRun) {
  const Json answer =
      world_.Ask("series", Json::Object{{"robot", "rb12"},
                                        {"metric", "temperature"},
                                        {"since_wall_ns", Count(kTestDay) - 66'000'000'000}});
  const Json& series = answer["series"].items().at(0);
  EXPECT_EQ(series["points"].items().size(), 2u);  // at 34 s and 35 s
  EXPECT_EQ(series["points"].items().back().items()[1].AsInt(), 35'000'000'000);
}

// The recorder was stopped at 35 s (100 s are now): the window's rest was not measured.
TEST_F(AnswersTest, CountsTheTimeBetweenRunsAsMissing) {
  world_.Send(*stream_, {boot_.Closed(3, "idle", At(35), "recorder stops")});
  const auto ask = [&](std::int64_t since_s, std::int64_t until_s) {
    const std::int64_t now = Count(kTestDay);
    const Json answer = world_.Ask(
        "series", Json::Object{{"robot", "rb12"},
                               {"metric", "temperature"},
                               {"since_wall_ns", now - (100 - since_s) * 1'000'000'000},
                               {"until_wall_ns", now - (100 - until_s) * 1'000'000'000}});
    EXPECT_EQ(answer["series"].items().size(), 1u);
    return answer["series"].items().at(0);
  };
  EXPECT_NEAR(ask(15, 55)["coverage"].AsDouble(), 0.5, 0.02);
  EXPECT_NEAR(ask(5, 25)["coverage"].AsDouble(), 1, 0.05);
  EXPECT_NEAR(ask(-500, 25)["coverage"].AsDouble(), 1,
              0.05);  // before its first run it was not there
  const Json silent = ask(60, 80);
  EXPECT_EQ(silent["points"].items().size(), 0u);
  EXPECT_EQ(silent["coverage"].AsDouble(1), 0);
  EXPECT_EQ(silent["absent"]["missing"].AsInt(), 20);
}

TEST_F(AnswersTest, ThinsReadingsToTheAskedNumber) {
  const Json answer = world_.Ask(
      "series", Json::Object{{"run", "rb12/118/2"}, {"metric", "temperature"}, {"max_points", 5}});
  const Json& series = answer["series"].items()[0];
  const auto& points = series["points"].items();
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(series["count"].AsInt(), 20);
  EXPECT_EQ(points.front().items()[1].AsInt(), 11'000'000'000);
  EXPECT_EQ(points.back().items()[1].AsInt(), 30'000'000'000);
  EXPECT_EQ(points.back().items()[2].AsDouble(), series["last"].AsDouble());
}

TEST_F(AnswersTest, ExplainsWhatItCannotAnswer) {
  EXPECT_EQ(world_.answers->Answer("weather", Json(), "").error()->code(), Code::kNotFound);
  EXPECT_NE(world_.Ask("weather")["error"].AsText().find("robots"), std::string::npos);
  const auto ask_run = [&](const char* name) {
    return world_.answers->Answer("check", Json::Object{{"run", name}}, "").error()->code();
  };
  EXPECT_EQ(ask_run("rb12/118/9"), Code::kNotFound);
  EXPECT_EQ(ask_run("rb99@latest"), Code::kNotFound);
  EXPECT_EQ(ask_run("nonsense"), Code::kInvalid);
  EXPECT_EQ(ask_run("rb12/118/2/3"), Code::kInvalid);
  EXPECT_EQ(ask_run("/118/2"), Code::kInvalid);
  EXPECT_NE(
      world_.Ask("runs", Json::Object{{"robt", "x"}})["error"].AsText().find("did you mean robot?"),
      std::string::npos);
}

TEST_F(AnswersTest, GivesTheSameAnswersAfterARestart) {
  const auto ask_all = [](ServerWorld& world) {
    return world.Ask("runs", Json::Object{{"idle", true}}).Dump() +
           world.Ask("run", Json::Object{{"run", "rb12/118/2"}}).Dump() +
           world.Ask("series", Json::Object{{"run", "rb12@idle"}}).Dump() +
           world.Ask("check", Json::Object{{"run", "rb12/118/1"}}).Dump();
  };
  const std::string before = ask_all(world_);
  world_.writer->Stop();
  ServerWorld again(folder_.path());
  again.UseBudgets(kBudgets);
  EXPECT_EQ(ask_all(again), before);
  EXPECT_EQ(again.store->CommittedOf({"rb12", boot_.Stream(Tier::kSummaries)}).through(), Seq{35});
}

}  // namespace
}  // namespace tacho
