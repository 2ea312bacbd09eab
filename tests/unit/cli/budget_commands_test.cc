// `tacho budget ...`: what is suggested is a file, what is tried is a table, a mistake is a line.
#include <fstream>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class BudgetCommands : public CliTest {
 protected:
  BudgetCommands() {
    std::ofstream(file_) << "# budgets\n";
    fleet_.Answer("budget_try", Canned("budget_try"));
  }
  Printed Try(Given given = {}) {
    given.emplace_back("file", file_);
    return Tacho("budget try", given);
  }
  // What was asked last, without the text.
  std::string Asked() { return fleet_.asked().back().arguments.Dump(); }

  TempFolder folder_;
  const std::string file_ = (folder_.path() / "budgets.toml").string();
};

TEST_F(BudgetCommands, TryPrintsWhatWouldHaveBeen) {
  ExpectGolden("budget_try.table.txt", Try({{"since", "7d"}}).All());
  context_.style = {.format = Format::kTsv};
  ExpectGolden("budget_try.tsv.txt", Try({{"since", "7d"}}).All());
}

TEST_F(BudgetCommands, TrySendsTheTextAndTheWindow) {
  Try({{"since", "2h"}, {"robot", "rb1*"}, {"limit", "7"}});
  EXPECT_EQ(Asked(), R"({"text":"# budgets\n","file":")" + file_ +
                         R"(","limit":7,"robot":"rb1*","since_wall_ns":1795860000000000000})");
}

TEST_F(BudgetCommands, TryNamesEveryMistakeOfAFileAndEndsWithTwo) {
  fleet_.Answer("budget_try",
                Json(Json::Object{{"mistakes", Json::Array{"b.toml:1: one", "b.toml:7: two"}}}));
  const Printed printed = Try();
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_EQ(printed.err.rfind("tacho: b.toml:1: one\ntacho: b.toml:7: two\n", 0), 0U)
      << printed.err;
}

TEST_F(BudgetCommands, TryOfAFileThatIsNotThereEndsWithTwo) {
  EXPECT_EQ(Tacho("budget try", {{"file", "/no/such/file"}}).exit_code, 2);
  EXPECT_TRUE(fleet_.asked().empty());
}

TEST_F(BudgetCommands, TryOfAFilterThatMatchesNoRunEndsWithThree) {
  fleet_.Answer("budget_try", Json(Json::Object{{"runs", Json::Array{}}}));
  const Printed printed = Try({{"robot", "nope"}});
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_NE(printed.All().find("of --robot 'nope'"), std::string::npos) << printed.All();
}

TEST_F(BudgetCommands, TryPrintsOneTableOnRequest) {
  context_.style = {.format = Format::kCsv};
  EXPECT_EQ(Try().exit_code, 2);
  EXPECT_EQ(Try({{"section", "budgets"}}).out,
            "budget,FAIL,NO_DATA,INVALID,MARGINAL,PASS,not_for\n"
            "junction temperature,1,1,0,0,1,0\nboard power,0,0,0,0,0,3\n");
  EXPECT_EQ(Try({{"section", "budget"}}).exit_code, 2);
}

TEST_F(BudgetCommands, SuggestPrintsAFileInEveryFormButJson) {
  const Json answer = Json::Object{{"text", "# a\n[[budget]]\nname = \"\x1b\"\n"},
                                   {"runs_healthy", 6},
                                   {"runs_looked_at", 7},
                                   {"budgets", Json::Array{1}},
                                   {"left_out", Json::Array{1}}};
  fleet_.Answer("budget_suggest", answer);
  for (const Format format : {Format::kTable, Format::kTsv, Format::kCsv}) {
    context_.style.format = format;
    const Printed printed = Tacho("budget suggest", {{"robot", "rb1*"}, {"since", "2h"}});
    EXPECT_EQ(printed.exit_code, 0);
    EXPECT_EQ(printed.out, "# a\n[[budget]]\nname = \"\\x1b\"\n");
    EXPECT_EQ(printed.err,
              "coverage: 1 budget from 6 healthy runs of 7 looked at; 1 thing left out\n");
  }
  context_.style.format = Format::kJson;
  EXPECT_EQ(Tacho("budget suggest", {{"robot", "rb1*"}}).out, answer.Dump(2) + "\n");
}

TEST_F(BudgetCommands, SuggestMakesNoFileOfTooFewRuns) {
  fleet_.Answer(
      "budget_suggest",
      Json(Json::Object{{"text", Json()},
                        {"runs_healthy", 2},
                        {"runs_needed", 5},
                        {"runs_looked_at", 3},
                        {"left_out", Json::Array{Json::Object{{"what", "rb1/1/3"},
                                                              {"why", "it is still open"}}}}}));
  context_.style.format = Format::kTsv;
  const Printed printed = Tacho("budget suggest", {{"robot", "rb1*"}});
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_EQ(printed.out, "rb1/1/3\tit is still open\n");
  EXPECT_NE(
      printed.err.find(
          "No budget is suggested: n=2 of 5 healthy runs needed, of 3 that were looked at.\n"),
      std::string::npos)
      << printed.err;
}

TEST_F(BudgetCommands, SuggestTakesRunsOrRobots) {
  fleet_.Answer("budget_suggest", Json(Json::Object{}));
  Tacho("budget suggest",
        {{"from", "rb1/1/1,rb1/1/2"}, {"from", "rb2@latest"}, {"margin", "2.5%"}});
  EXPECT_EQ(Asked(), R"({"runs":["rb1/1/1","rb1/1/2","rb2@latest"],"margin":0.025})");
  Tacho("budget suggest", {{"robot", "rb1*"}, {"since", "2h"}, {"metric", "power*"}});
  EXPECT_EQ(Asked(), R"({"robot":"rb1*","since_wall_ns":1795860000000000000,"metric":"power*"})");
}

TEST_F(BudgetCommands, SuggestRefusesWhatIsNotOneOfBoth) {
  const Given cases[] = {{},
                         {{"since", "2h"}},
                         {{"from", "rb1/1/1"}, {"robot", "rb1"}},
                         {{"from", "rb1/1/1"}, {"since", "2h"}},
                         {{"from", "rb1/1/1,"}},
                         {{"robot", "rb1"}, {"margin", "10"}},
                         {{"robot", "rb1"}, {"margin", "-1%"}},
                         {{"robot", "rb1"}, {"margin", "%"}}};
  for (const Given& given : cases)
    EXPECT_EQ(Tacho("budget suggest", given).exit_code, 2);
  EXPECT_TRUE(fleet_.asked().empty());
}

}  // namespace
}  // namespace tacho
