// What commands ask, and how they end when there is no answer.
#include <set>
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class Commands : public CliTest {};

constexpr std::int64_t kHour = 3'600'000'000'000;

TEST_F(Commands, EndByTheKindOfFailure) {
  struct {
    Code code;
    int exit_code;
  } const cases[] = {{Code::kUnavailable, 5}, {Code::kTimeout, 5},  {Code::kDenied, 4},
                     {Code::kNotFound, 3},    {Code::kInvalid, 2},  {Code::kInternal, 1},
                     {Code::kCorrupt, 1},     {Code::kExhausted, 1}};
  const std::pair<const char*, const char*> questions[] = {
      {"robots", "robots"}, {"runs", "runs"},     {"run show", "run"}, {"check", "check"},
      {"series", "series"}, {"events", "events"}, {"boots", "boots"},  {"robot retire", "roster"}};
  for (const auto& [command, question] : questions) {
    for (const auto& [code, exit_code] : cases) {
      fleet_.Answer(question, Status(code, "it is so\x1b[2J"));
      const Printed printed =
          Tacho(command, {{"run", "rb1/1/1"}, {"of", "rb1/1/1"}, {"robot", "rb1"}});
      EXPECT_EQ(printed.exit_code, exit_code) << command;
      EXPECT_EQ(printed.out, "") << command;
      EXPECT_NE(printed.err.find("it is so\\x1b[2J"), std::string::npos) << printed.err;
    }
  }
}

TEST_F(Commands, SayWhatToCheckWhereTheServerIsAway) {
  fleet_.Answer("robots", Status(Code::kUnavailable, "connection refused"));
  const std::string err = Tacho("robots").err;
  EXPECT_NE(err.find("came from the default"), std::string::npos) << err;
  EXPECT_NE(err.find("systemctl status tacho-server"), std::string::npos) << err;
}

TEST_F(Commands, RefuseAnAnswerThatIsNoObject) {
  for (const char* question : {"robots", "runs"}) {
    fleet_.Answer(question, Json(Json::Array{}));
    EXPECT_EQ(Tacho(question).exit_code, 1);
  }
}

TEST_F(Commands, HoldForAnswersThatAreEmpty) {
  const std::pair<const char*, const char*> questions[] = {
      {"robots", "robots"}, {"runs", "runs"},     {"run show", "run"},
      {"series", "series"}, {"events", "events"}, {"boots", "boots"}};
  for (const auto& [command, question] : questions) {
    fleet_.Answer(question, Json(Json::Object{}));
    const Printed printed = Tacho(command, {{"run", "rb1/1/1"}, {"of", "rb1/1/1"}});
    EXPECT_EQ(printed.exit_code, 0) << command;
    const bool says_why = printed.out.find("Nothing was measured") != std::string::npos;
    EXPECT_TRUE(says_why || printed.out.find("coverage") != std::string::npos) << command;
  }
}

TEST_F(Commands, PrintAnEmptyArrayWhereAListIsEmpty) {
  context_.style.format = Format::kJson;
  for (const char* command : {"robots", "runs", "series", "events", "boots"}) {
    fleet_.Answer(command, Json(Json::Object{{command, Json::Array{}}}));
    EXPECT_EQ(Tacho(command, {{"of", "rb1"}}).out, "[]\n") << command;
  }
}

TEST_F(Commands, EndWithThreeWhereWhatWasNamedIsNotThere) {
  fleet_.Answer("robots", Json(Json::Object{{"robots", Json::Array{}}}));
  fleet_.Answer("runs", Json(Json::Object{{"runs", Json::Array{}}}));
  fleet_.Answer("series", Json(Json::Object{{"series", Json::Array{}}}));
  struct {
    const char* command;
    Given given;
    const char* sentence;
  } const cases[] = {
      {"robots", {{"robot", "nosuch"}}, "No robot matches 'nosuch'."},
      {"runs", {{"robot", "nosuch"}}, "No run of all time matches --robot nosuch."},
      {"runs", {{"name", "no*"}}, "No run of all time matches --name 'no*'."},
      {"series", {{"of", "nosuch"}}, "There is no robot 'nosuch'."},
      {"series", {{"of", "nosuch"}, {"metric", "x"}}, "There is no robot 'nosuch'."},
      {"series",
       {{"of", "rb1/1/1"}, {"metric", "nosuch"}, {"instance", "TJ"}},
       "No series of rb1/1/1 matches --metric nosuch --instance TJ. `tacho run show rb1/1/1 "
       "--section series` lists what there is."},
  };
  for (const auto& [command, given, sentence] : cases) {
    for (const Format format : {Format::kTable, Format::kTsv, Format::kCsv, Format::kJson}) {
      context_.style.format = format;
      const Printed printed = Tacho(command, given);
      EXPECT_EQ(printed.exit_code, 3) << sentence;
      const std::string& said = format == Format::kTable ? printed.out : printed.err;
      EXPECT_NE(said.find(sentence), std::string::npos) << said;
    }
  }
}

TEST_F(Commands, EndWithZeroWhereAWindowOrARunHoldsNothing) {
  const Json robot = Json::Object{{"robot", "rb1"}};
  fleet_.Answer("robots", Json(Json::Object{{"robots", Json::Array{robot}}}));
  fleet_.Answer("runs", Json(Json::Object{{"runs", Json::Array{}}}));
  fleet_.Answer("series", Json(Json::Object{{"series", Json::Array{}}}));
  context_.style.format = Format::kTsv;
  const Printed runs = Tacho("runs", {{"since", "2h"}});
  EXPECT_EQ(runs.exit_code, 0);
  EXPECT_EQ(runs.err.rfind("There is no run since 2026-11-28 10:00:00 UTC.\n", 0), 0U) << runs.err;
  const Printed robots = Tacho("series", {{"of", "rb1"}});
  EXPECT_EQ(robots.exit_code, 0);
  EXPECT_EQ(robots.err.rfind("Nothing was measured of rb1 since 2026-11-28 11:00:00 UTC.\n", 0), 0U)
      << robots.err;
  EXPECT_EQ(Tacho("series", {{"of", "rb1/1/1"}}).exit_code, 0);
}

TEST_F(Commands, HoldForAnswersOfTheWrongShape) {
  const Json odd = Json::Object{
      {"robots", 7},
      {"runs", Json::Array{1, "x", Json()}},
      {"run", "x"},
      {"series", Json::Array{Json::Object{{"points", Json::Array{1, Json::Array{2}}}}}},
      {"events", true},
      {"boots", Json::Array{1, "x", Json()}},
      {"gaps", Json::Array{Json::Array{}}},
      {"setup", Json::Array{1}}};
  const std::pair<const char*, const char*> questions[] = {
      {"robots", "robots"}, {"runs", "runs"},     {"run show", "run"},
      {"series", "series"}, {"events", "events"}, {"boots", "boots"}};
  for (const auto& [command, question] : questions) {
    fleet_.Answer(question, odd);
    for (const Format format : {Format::kTable, Format::kTsv, Format::kJson}) {
      context_.style.format = format;
      EXPECT_EQ(Tacho(command, {{"run", "rb1/1/1"}, {"of", "rb1/1/1"}}).exit_code, 0) << command;
    }
  }
}

TEST_F(Commands, AskForTheRunsOfAWindow) {
  fleet_.Answer("runs", Canned("runs"));
  Tacho("runs", {{"since", "2h"}, {"robot", "rb1*"}, {"name", "mission*"}, {"limit", "7"}});
  EXPECT_EQ(fleet_.asked().back().arguments.Dump(),
            R"({"robot":"rb1*","name":"mission*","since_wall_ns":1795860000000000000,)"
            R"("limit":7,"idle":false})");
}

TEST_F(Commands, AskForAllPointsInAPipeAndForFewerOnATerminal) {
  fleet_.Answer("series", Canned("series"));
  Tacho("series", {{"of", "rb12/118/4"}});
  EXPECT_EQ(fleet_.asked().back().arguments["max_points"].AsInt(), 4000);
  context_.style.format = Format::kTsv;
  Tacho("series", {{"of", "rb12/118/4"}, {"metric", "power_*"}});
  EXPECT_EQ(fleet_.asked().back().arguments.Dump(),
            R"({"run":"rb12/118/4","metric":"power_*","max_points":0})");
}

TEST_F(Commands, AskForTheLastHourOfARobot) {
  fleet_.Answer("series", Canned("series"));
  Tacho("series", {{"of", "rb12"}});
  EXPECT_EQ(fleet_.asked().back().arguments["since_wall_ns"].AsInt(), kNow - kHour);
  Tacho("series", {{"of", "rb12"}, {"until", "1h"}});
  EXPECT_TRUE(fleet_.asked().back().arguments["since_wall_ns"].is_null());
}

TEST_F(Commands, RefuseWhatIsNoRunBeforeTheyAsk) {
  for (const char* run : {"rb12", "rb12/118", "rb12/118/x", "/118/4", "rb12//4", "rb12/118/",
                          "rb12@newest", "@latest", "rb12/zz/4", "a b"}) {
    const Printed printed = Tacho("check", {{"run", run}});
    EXPECT_EQ(printed.exit_code, 2) << run;
    EXPECT_NE(printed.err.find("tacho check --help"), std::string::npos) << printed.err;
  }
  EXPECT_EQ(Tacho("check").exit_code, 2);
  EXPECT_TRUE(fleet_.asked().empty());
}

TEST_F(Commands, TakeEveryFormOfARunsName) {
  fleet_.Answer("check", Canned("check_fail"));
  for (const char* run :
       {"rb12/118/4", "rb12@latest", "rb12@idle", "rb12/0b1c2d3e/1", "site/rb12/118/4"}) {
    EXPECT_EQ(Tacho("check", {{"run", run}}).exit_code, 10) << run;
  }
}

TEST_F(Commands, QuoteNamesInTheCommandsTheyPropose) {
  fleet_.Answer("runs",
                Json(Json::Object{{"runs", Json::Array{Json::Object{{"run", "rb1;reboot/1/1"}}}}}));
  EXPECT_NE(Tacho("runs").out.find("tacho check 'rb1;reboot/1/1'"), std::string::npos);
}

TEST_F(Commands, ShowOneSectionOfARun) {
  fleet_.Answer("run", Canned("run"));
  context_.style.format = Format::kTsv;
  EXPECT_EQ(Tacho("run show", {{"run", "rb12/118/4"}, {"section", "gaps"}}).out,
            "T1\t101\t20\tevicted\n");
  const Printed printed = Tacho("run show", {{"run", "rb12/118/4"}, {"section", "gap"}});
  EXPECT_EQ(printed.exit_code, 2);
}

TEST_F(Commands, RefuseSeveralTablesInOneCsvFile) {
  fleet_.Answer("run", Canned("run"));
  context_.style.format = Format::kCsv;
  const Printed printed = Tacho("run show", {{"run", "rb12/118/4"}});
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_NE(printed.err.find("--section"), std::string::npos);
  EXPECT_EQ(Tacho("run show", {{"run", "rb12/118/4"}, {"section", "gaps"}}).out,
            "tier,first,count,reason\nT1,101,20,evicted\n");
}

TEST_F(Commands, OpenARunWithItsLabels) {
  recorder_answer_ = Json(Json::Object{{"ok", true}, {"stored", 9}, {"run", "118/5"}});
  const Printed printed =
      Tacho("local run start", {{"name", "bench"}, {"label", "a=b"}, {"label", "c=d=e"}});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.out.rfind("Run 118/5 'bench' is open.\n", 0), 0U) << printed.out;
  EXPECT_EQ(recorder_asked_.Dump(),
            R"({"do":"run_start","name":"bench","labels":{"a":"b","c":"d=e"}})");
}

TEST_F(Commands, PrintOnlyTheRunsNameInAPipe) {
  recorder_answer_ = Json(Json::Object{{"ok", true}, {"run", "118/5"}});
  context_.style.format = Format::kTsv;
  EXPECT_EQ(Tacho("local run start", {{"name", "bench"}}).out, "118/5\n");
  EXPECT_EQ(Tacho("local run stop").out, "118/5\n");
  EXPECT_EQ(recorder_asked_.Dump(), R"({"do":"run_stop"})");
}

TEST_F(Commands, WarnWhereARunIsKeptInMemoryOnly) {
  recorder_answer_ = Json(Json::Object{{"ok", true}, {"run", "118/5"}, {"ram", true}});
  EXPECT_NE(Tacho("local run stop").out.find("in memory only"), std::string::npos);
}

TEST_F(Commands, RefuseALabelThatIsGivenTwice) {
  const Printed printed =
      Tacho("local run start", {{"name", "a"}, {"label", "site=a"}, {"label", "site=b"}});
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_NE(printed.err.find("The label 'site' is given twice."), std::string::npos) << printed.err;
  EXPECT_TRUE(recorder_asked_.is_null());
}

TEST_F(Commands, RefuseAnOptionThatIsGivenTwiceAndTakesOneValue) {
  const Printed printed = Tacho("series", {{"of", "rb1/1/1"}, {"metric", "a"}, {"metric", "b"}});
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_NE(printed.err.find("--metric is given 2 times, and takes one value."), std::string::npos)
      << printed.err;
  EXPECT_TRUE(fleet_.asked().empty());
}

TEST_F(Commands, RefuseALabelWithoutAKeyAndARunCalledIdle) {
  for (const char* label : {"site", "=munich", ""}) {
    EXPECT_EQ(Tacho("local run start", {{"name", "a"}, {"label", label}}).exit_code, 2) << label;
  }
  EXPECT_EQ(Tacho("local run start", {{"name", "idle"}}).exit_code, 2);
  EXPECT_EQ(Tacho("local run start").exit_code, 2);
  EXPECT_TRUE(recorder_asked_.is_null());
}

TEST_F(Commands, EndWithFiveWhereTheRecorderIsAway) {
  for (const char* command : {"local status", "local run stop"}) {
    EXPECT_EQ(Tacho(command).exit_code, 5);
  }
  EXPECT_EQ(Tacho("local run start", {{"name", "a"}}).exit_code, 5);
}

TEST_F(Commands, WarnOfADiskThatRefuses) {
  Json status = Canned("status");
  status.Set("spool", Json::Object{{"ok", false}, {"ram_only", true}});
  recorder_answer_ = status;
  EXPECT_NE(Tacho("local status").out.find("warning   The disk refuses"), std::string::npos);
}

TEST_F(Commands, AreToldApartByTheirPathAndAllHaveExamples) {
  std::set<std::string_view> paths;
  for (const Command* command : AllCommands()) {
    EXPECT_TRUE(paths.insert(command->path).second) << command->path;
    EXPECT_FALSE(command->summary.empty()) << command->path;
    EXPECT_EQ(command->examples.rfind("tacho ", 0), 0U) << command->path;
  }
  EXPECT_TRUE(paths.contains("run show"));
}

}  // namespace
}  // namespace tacho
