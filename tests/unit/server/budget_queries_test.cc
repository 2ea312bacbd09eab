// Budgets asked of the server: those in force, those it suggests, and those somebody would try.
#include <gtest/gtest.h>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr const char* kWarm =
    "[[budget]]\nname = \"warm\"\nmetric = \"temperature\"\nstatistic = \"max\"\nmax = \"45 C\"\n";

class BudgetQueries : public testing::Test {
 protected:
  // Runs of 100 s each, numbered from 1; none follows the last.
  void Bring(int runs) {
    stream_ = world_.Call("rb12", boot_.id(), 7);
    world_.Send(*stream_, {boot_.DictionaryRecord()});
    for (int run = 1; run <= runs; ++run) {
      const int from = 100 * run;
      world_.Send(*stream_, {boot_.Opened(static_cast<std::uint32_t>(run), "bench", At(from)),
                             boot_.Seconds(from, 100),
                             boot_.Closed(static_cast<std::uint32_t>(run), "bench", At(from + 100),
                                          "command")});
    }
    EXPECT_TRUE(stream_->refusals().empty());
  }
  Json Suggest(Json::Object more = {}) {
    more.emplace_back("robot", "rb*");
    return world_.Ask("budget_suggest", Json(std::move(more)));
  }
  Json Try(const std::string& text) {
    return world_.Ask("budget_try", Json::Object{{"text", text}, {"file", "mine.toml"}});
  }
  static std::string WhyLeftOut(const Json& answer, const std::string& what) {
    for (const Json& one : answer["left_out"].items()) {
      if (one["what"].AsText() == what) return one["why"].AsText();
    }
    return "";
  }

  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  MadeBoot boot_;
  std::shared_ptr<FakeRobotStream> stream_;
};

TEST_F(BudgetQueries, ListWhatIsInForceWithItsVersion) {
  EXPECT_EQ(world_.Ask("budgets")["budgets"].items().size(), 0u);
  world_.UseBudgets(kWarm);
  const Json answer = world_.Ask("budgets");
  EXPECT_EQ(answer["version"].AsInt(), 1);
  ASSERT_EQ(answer["budgets"].items().size(), 1u);
  EXPECT_EQ(
      answer["budgets"].items()[0].Dump(),
      R"({"budget":"warm","metric":"temperature","instance":"*","statistic":"max","for_ns":0,)"
      R"("limit":45.0,"comparison":"<=","unit":"C","min_count":1,"min_coverage":0.9,"robot":"",)"
      R"("model":"","power_mode":"","holds_when_throttled":false})");
}

TEST_F(BudgetQueries, WhatIsSuggestedFailsNoneOfItsRuns) {
  Bring(6);
  const Json suggested = Suggest();
  EXPECT_EQ(suggested["runs_healthy"].AsInt(), 6);
  ASSERT_FALSE(suggested["budgets"].items().empty()) << suggested.Dump();
  const Json tried = Try(suggested["text"].AsText());
  EXPECT_TRUE(tried["mistakes"].items().empty()) << tried.Dump();
  EXPECT_EQ(tried["runs"].items().size(), 6u);
  EXPECT_EQ(tried["verdicts"]["FAIL"].AsInt(), 0);
  EXPECT_EQ(tried["verdicts"]["PASS"].AsInt(), 6) << tried.Dump(1);
}

TEST_F(BudgetQueries, NothingIsSuggestedFromTooFewRuns) {
  Bring(2);
  const Json answer = Suggest();
  EXPECT_TRUE(answer["text"].is_null());
  EXPECT_EQ(answer["runs_healthy"].AsInt(), 2);
  EXPECT_EQ(answer["runs_needed"].AsInt(), 5);
  EXPECT_EQ(WhyLeftOut(answer, "Orin"), "n=2 of 5 needed");
}

TEST_F(BudgetQueries, RunsThatWentBadAreNoExampleAndAreNamed) {
  Bring(8);
  world_.Send(*stream_, {boot_.Happened("throttle", "gpu", At(250)),
                         boot_.Happened("clock_stepped", "by 3 s", At(350)),
                         boot_.Opened(9, "bench", At(1000)), boot_.Seconds(1000, 10),
                         boot_.Closed(9, "bench", At(1100), "command"),
                         boot_.Opened(10, "bench", At(1200)), boot_.Seconds(1200, 10)});
  // Run 8 is the hottest of those that were measured whole.
  world_.UseBudgets(
      "[[budget]]\nname = \"hot\"\nmetric = \"temperature\"\nstatistic = \"max\"\nmax = \"150 "
      "C\"\n");
  const Json answer = Suggest();
  EXPECT_EQ(WhyLeftOut(answer, "rb12/7/2"), "it was throttled (gpu)");
  EXPECT_EQ(WhyLeftOut(answer, "rb12/7/3"), "the clock stepped inside it");
  EXPECT_EQ(WhyLeftOut(answer, "rb12/7/8"), "it is FAIL by the budgets of now");
  EXPECT_EQ(WhyLeftOut(answer, "rb12/7/9"), "it is FAIL by the budgets of now");
  EXPECT_EQ(WhyLeftOut(answer, "rb12/7/10"), "it is still open");
  EXPECT_EQ(answer["runs_healthy"].AsInt(), 5);
  world_.UseBudgets("");
  EXPECT_EQ(WhyLeftOut(Suggest(), "rb12/7/9"), "coverage 10.0 %, 90.0 % asked");
}

TEST_F(BudgetQueries, RunsAreTakenByNameEachOnce) {
  Bring(3);
  const Json answer = world_.Ask(
      "budget_suggest", Json::Object{{"runs", Json::Array{"rb12/7/1", "rb12/7/3", "rb12@latest"}}});
  EXPECT_EQ(answer["runs_looked_at"].AsInt(), 2);
  EXPECT_NE(world_.Ask("budget_suggest", Json::Object{{"runs", Json::Array{"rb12/7/9"}}})["error"]
                .AsText(),
            "");
}

TEST_F(BudgetQueries, ATrialKeepsNothing) {
  Bring(2);
  world_.UseBudgets(kWarm);
  const std::string before = world_.Ask("runs").Dump() + world_.Ask("budgets").Dump();
  const Json tried =
      Try("[[budget]]\nname = \"wide\"\nmetric = \"temperature\"\nstatistic = \"max\"\nmax = \"500 "
          "C\"\n");
  EXPECT_EQ(tried["verdicts"]["PASS"].AsInt(), 2);
  EXPECT_EQ(tried["runs"].items()[0]["run"]["verdict"].AsText(), "FAIL") << "by those in force";
  EXPECT_EQ(world_.Ask("runs").Dump() + world_.Ask("budgets").Dump(), before);
}

TEST_F(BudgetQueries, ATrialCountsByBudgetAndNamesWhatWouldBreak) {
  Bring(2);
  const Json tried = Try(
      "[[budget]]\nname = \"cold\"\nmetric = \"temperature\"\nstatistic = \"max\"\nmax = \"60 C\"\n"
      "[[budget]]\nname = \"far\"\nrobot = \"x*\"\nmetric = \"temperature\"\nstatistic = "
      "\"max\"\nmax = \"1 C\"\n"
      "[[budget]]\nname = \"none\"\nmetric = \"nosuch\"\nstatistic = \"max\"\nmax = \"1 C\"\n");
  const auto& budgets = tried["budgets"].items();
  ASSERT_EQ(budgets.size(), 3u);
  EXPECT_EQ(budgets[0]["FAIL"].AsInt(), 2);
  EXPECT_EQ(budgets[1]["not_for"].AsInt(), 2);
  EXPECT_EQ(budgets[2]["NO_DATA"].AsInt(), 2);
  EXPECT_EQ(tried["verdicts"]["FAIL"].AsInt(), 2);
  EXPECT_EQ(tried["runs"].items()[0]["budgets"].items()[0]["budget"].AsText(), "cold");
}

TEST_F(BudgetQueries, ATrialListsEveryMistakeOfTheText) {
  const Json answer = Try("[[budget]]\nnam = \"x\"\nstatistic = \"p98\"\n");
  const auto& mistakes = answer["mistakes"].items();
  ASSERT_GE(mistakes.size(), 4u) << answer.Dump();
  for (const Json& mistake : mistakes)
    EXPECT_EQ(mistake.AsText().rfind("mine.toml:", 0), 0u) << mistake.AsText();
}

TEST_F(BudgetQueries, ATrialOfATextTooLongIsRefused) {
  EXPECT_NE(Try(std::string(300 << 10, '#'))["error"].AsText().find("are allowed"),
            std::string::npos);
}

}  // namespace
}  // namespace tacho
