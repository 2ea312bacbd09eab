// The gate: its exit codes, and that nothing reads as fine while data is missing.
#include <string>
#include <vector>

#include "cli/verdict.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

Json Budget(const std::string& name, const std::string& verdict) {
  return Json::Object{{"budget", name}, {"verdict", verdict}, {"reason", "since " + name}};
}

Json Answer(const std::string& verdict, const std::vector<std::string>& budgets) {
  Json::Array list;
  for (const std::string& budget : budgets) {
    list.push_back(Budget("b" + std::to_string(list.size() + 1), budget));
  }
  return Json::Object{
      {"run", Json::Object{{"run", "rb12/118/4"}}}, {"verdict", verdict}, {"budgets", list}};
}

struct ExitCase {
  const char* verdict;
  std::vector<std::string> budgets;
  int exit_code;
  int strict_exit_code;
  const char* headline;  // begins like this
};

class CheckExit : public CliTest {};

TEST_F(CheckExit, FollowsTheWorstOfAllVerdicts) {
  const ExitCase cases[] = {
      {"PASS", {"PASS"}, 0, 0, "PASS rb12/118/4: 1 of 1 budgets kept."},
      {"PASS", {"PASS", "PASS"}, 0, 0, "PASS rb12/118/4: 2 of 2 budgets kept."},
      {"MARGINAL", {"PASS", "MARGINAL"}, 0, 10, "MARGINAL rb12/118/4: 1 of 2 budgets neither kept"},
      {"FAIL", {"PASS", "FAIL"}, 10, 10, "FAIL rb12/118/4: 1 of 2 budgets failed: b2 (since b2)."},
      {"FAIL",
       {"FAIL", "NO_DATA"},
       10,
       10,
       "FAIL rb12/118/4: 1 of 2 budgets failed: b1 (since b1); "
       "1 could not be judged."},
      {"NO_DATA",
       {"PASS", "NO_DATA"},
       11,
       11,
       "NO_DATA rb12/118/4: 1 of 2 budgets could not be "
       "judged: b2 (since b2)."},
      {"INVALID", {"INVALID", "MARGINAL"}, 11, 11, "INVALID rb12/118/4: 1 of 2 budgets could not"},
      {"NOT_COMPARABLE", {"PASS"}, 11, 11, "NOT_COMPARABLE rb12/118/4: the server judges"},
      {"NO_DATA", {}, 11, 11, "NO_DATA rb12/118/4: no budget applies to this run"},
      // What a server should never say.
      {"PASS", {}, 11, 11, "NO_DATA rb12/118/4: no budget applies to this run"},
      {"PASS", {"PASS", "FAIL"}, 10, 10, "FAIL rb12/118/4: 1 of 2"},
      {"PASS", {"PASS", "NO_DATA"}, 11, 11, "NO_DATA rb12/118/4: 1 of 2"},
      {"PASS", {"PASS", "SPLENDID"}, 11, 11, "NO_DATA rb12/118/4: 1 of 2"},
      {"", {"PASS"}, 11, 11, "NO_DATA rb12/118/4: the server judges"},
      {"FAIL", {"PASS"}, 10, 10, "FAIL rb12/118/4: the server judges"},
  };
  for (const ExitCase& expected : cases) {
    fleet_.Answer("check", Answer(expected.verdict, expected.budgets));
    const Printed printed = Tacho("check", {{"run", "rb12/118/4"}});
    EXPECT_EQ(printed.exit_code, expected.exit_code) << printed.out;
    EXPECT_EQ(printed.out.rfind(expected.headline, 0), 0U) << printed.out;
    EXPECT_EQ(Tacho("check", {{"run", "rb12/118/4"}, {"strict-margin", "true"}}).exit_code,
              expected.strict_exit_code)
        << printed.out;
  }
}

TEST_F(CheckExit, HoldsForAnAnswerThatIsEmpty) {
  fleet_.Answer("check", Json(Json::Object{}));
  const Printed printed = Tacho("check", {{"run", "rb12@latest"}});
  EXPECT_EQ(printed.exit_code, 11);
  EXPECT_EQ(printed.out.rfind("NO_DATA rb12@latest: no budget applies", 0), 0U) << printed.out;
  EXPECT_EQ(printed.out.find("PASS"), std::string::npos);
}

// The budgets of a board with two rails, as the server judges them.
Json Rail(const std::string& instance, const std::string& verdict, double value) {
  return Json::Object{{"budget", "board power"}, {"metric", "power_rail"},
                      {"instance", instance},    {"statistic", "p95"},
                      {"value", value},          {"limit", 60},
                      {"comparison", "<="},      {"unit", "W"},
                      {"verdict", verdict}};
}

TEST_F(CheckExit, CountsABudgetOnSeveralSeriesOnceAndNamesTheInstances) {
  Json answer = Answer("FAIL", {"PASS"});
  answer.Set("budgets", Json::Array{Rail("VIN", "FAIL", 61), Rail("VIN_SYS", "FAIL", 63.5),
                                    Rail("VDD_GPU", "PASS", 5), Budget("heat", "PASS")});
  fleet_.Answer("check", answer);
  const std::string out = Tacho("check", {{"run", "rb12/118/4"}}).out;
  EXPECT_EQ(out.substr(0, out.find('\n')),
            "FAIL rb12/118/4: 1 of 2 budgets failed: board power (VIN: p95 61 W, limit <= 60 W; "
            "VIN_SYS: p95 63.5 W, limit <= 60 W).");
}

TEST_F(CheckExit, GivesTheServersReasonForMarginal) {
  Json rail = Rail("VIN", "MARGINAL", 6.288);
  rail.Set("reason", "40 readings are too few to bound p95");
  rail.Set("high", Json());
  rail.Set("low", 6.1);
  Json answer = Answer("MARGINAL", {});
  answer.Set("budgets", Json::Array{rail});
  fleet_.Answer("check", answer);
  const std::string out = Tacho("check", {{"run", "rb12/118/4"}}).out;
  EXPECT_EQ(out.substr(0, out.find('\n')),
            "MARGINAL rb12/118/4: 1 of 1 budgets neither kept nor broken for certain: board power "
            "(p95 6.288 W, limit <= 60 W: 40 readings are too few to bound p95).");
  EXPECT_NE(out.find(">= 6.1 W"), std::string::npos) << out;
}

TEST_F(CheckExit, SaysHowLongALimitMayBeBroken) {
  Json rail = Rail("VIN", "FAIL", 65.84);
  rail.Set("statistic", "max");
  rail.Set("for_ns", 10'000'000'000);
  Json answer = Answer("FAIL", {});
  answer.Set("budgets", Json::Array{rail});
  fleet_.Answer("check", answer);
  const std::string out = Tacho("check", {{"run", "rb12/118/4"}}).out;
  EXPECT_NE(out.find("board power (max for 10s 65.84 W, limit <= 60 W)"), std::string::npos) << out;
  EXPECT_NE(out.find("  max for 10s\n"), std::string::npos) << out;
  context_.style = {.format = Format::kTsv};
  EXPECT_NE(Tacho("check", {{"run", "rb12/118/4"}}).out.find("\tmax\tW\t-\t-\t10\n"),
            std::string::npos);
}

TEST_F(CheckExit, SaysTheVerdictOnStderrWhereStdoutIsData) {
  fleet_.Answer("check", Answer("NO_DATA", {}));
  for (const Format format : {Format::kTsv, Format::kCsv, Format::kJson, Format::kJsonLines}) {
    context_.style = {.format = format};
    EXPECT_EQ(Tacho("check", {{"run", "rb12@latest"}}).err.rfind("NO_DATA ", 0), 0U);
  }
}

TEST_F(CheckExit, AsksForTheRunItWasGiven) {
  fleet_.Answer("check", Answer("PASS", {"PASS"}));
  Tacho("check", {{"run", "rb12@latest"}});
  ASSERT_EQ(fleet_.asked().size(), 1U);
  EXPECT_EQ(fleet_.asked()[0].arguments, Json(Json::Object{{"run", "rb12@latest"}}));
}

TEST(WorstOf, IsFailOverNotJudgedOverMarginalOverPass) {
  EXPECT_EQ(WorstOf("PASS", {Budget("a", "PASS")}), VerdictRank::kPass);
  EXPECT_EQ(WorstOf("PASS", {Budget("a", "MARGINAL"), Budget("b", "PASS")}),
            VerdictRank::kMarginal);
  EXPECT_EQ(WorstOf("PASS", {Budget("a", "MARGINAL"), Budget("b", "INVALID")}),
            VerdictRank::kNotJudged);
  EXPECT_EQ(WorstOf("PASS", {Budget("a", "NO_DATA"), Budget("b", "FAIL")}), VerdictRank::kFail);
  EXPECT_EQ(WorstOf("PASS", {}), VerdictRank::kNotJudged);
  EXPECT_EQ(WorstOf("PASS", {Json()}), VerdictRank::kNotJudged);
}

TEST_F(CheckExit, SaysWhatWasNotMeasuredBesideTheVerdict) {
  Json answer = Answer("NO_DATA", {"NO_DATA"});
  answer.Set("silent_ns", 378'000'000'000);
  answer.Set("throttling", "not measured");
  answer.Set("skipped", Json::Array{Json::Object{{"budget", "hot"}, {"why", "it is for rb2*"}},
                                    Json::Object{{"budget", "loud"}, {"why", "it is for rb3*"}}});
  fleet_.Answer("check", answer);
  const Printed printed = Tacho("check", {{"run", "rb12@latest"}});
  const std::string all = printed.out + printed.err;
  EXPECT_NE(all.find("; nothing came for the last 6m18s; throttling was not measured; 2 budgets do "
                     "not apply: hot, loud"),
            std::string::npos)
      << all;
}

TEST_F(CheckExit, SaysHowOldTheLastReadingOfAnOpenRunIsAndWhatItGoesOnWith) {
  Json answer = Answer("PASS", {"PASS"});
  answer.Set("run", Json::Object{{"run", "rb12/118/5"},
                                 {"state", "open"},
                                 {"last_wall_ns", kNow - 112'000'000'000},
                                 {"labels", Json::Object{{"continues", "4"}}}});
  fleet_.Answer("check", answer);
  const std::string text = Tacho("check", {{"run", "rb12/118/5"}}).All();
  EXPECT_NE(text.find("its last reading is 1m52s old"), std::string::npos) << text;
  EXPECT_NE(text.find("it goes on with run 4 that was cut off"), std::string::npos) << text;
}

TEST_F(CheckExit, SaysOfTheLatestRunWhatANewerOneMayHideIn) {
  Json answer = Answer("PASS", {"PASS"});
  answer.Set("robot_silent_ns", 378'000'000'000);
  answer.Set("lost_event_records", 34609);
  fleet_.Answer("check", answer);
  const std::string latest = Tacho("check", {{"run", "rb12@latest"}}).All();
  EXPECT_NE(latest.find("the robot has been silent for 6m18s: newer runs may not have arrived; "
                        "34609 of its event records are missing"),
            std::string::npos)
      << latest;
  const std::string named = Tacho("check", {{"run", "rb12/118/4"}}).All();
  EXPECT_EQ(named.find("newer run"), std::string::npos) << named;
}

TEST_F(CheckExit, NamesTheSilentRobots) {
  const Json::Array robots = {Json::Object{{"robot", "rb1"}, {"state", "live"}},
                              Json::Object{{"robot", "rb2"}, {"state", "silent"}},
                              Json::Object{{"robot", "rb3"}, {"state", "retired"}}};
  fleet_.Answer("robots", Json(Json::Object{{"robots", robots}}));
  const Printed printed = Tacho("robots", {});
  EXPECT_NE((printed.out + printed.err).find("1 robot live; not live: rb2;"), std::string::npos)
      << printed.out << printed.err;
}

}  // namespace
}  // namespace tacho
