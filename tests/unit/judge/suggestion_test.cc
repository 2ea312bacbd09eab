// Limits learnt from past runs: none is made up, and none is broken by the runs it comes from.
#include "server/judge/suggestion.h"

#include <gtest/gtest.h>
#include <random>

#include "server/judge/suggestion_text.h"

namespace tacho {
namespace {

JudgedSeries Made(SeriesKey key, const std::vector<std::int64_t>& values,
                  std::size_t expected = 0) {
  JudgedSeries series;
  series.key = std::move(key);
  series.expected = std::max(expected, values.size());
  for (const std::int64_t value : values) {
    ++series.rollup.present;
    series.rollup.min = std::min(series.rollup.min, value);
    series.rollup.max = std::max(series.rollup.max, value);
    series.rollup.histogram.Add(value);
  }
  return series;
}

SeriesKey Key(std::string metric, Unit unit, int decimals = 0, Shape shape = Shape::kGauge) {
  return {std::move(metric), "x", unit, decimals, shape};
}

RunFacts Facts(std::string mode = "30W", std::string model = "Orin") {
  RunFacts facts;
  facts.robot = "rb12";
  facts.model = std::move(model);
  facts.power_modes = {std::move(mode)};
  return facts;
}

class SuggestBudgetsTest : public testing::Test {
 protected:
  void Learn(const std::vector<JudgedSeries>& series, const RunFacts& facts = Facts()) {
    runs_.push_back(
        LearnFrom("rb12/1/" + std::to_string(runs_.size() + 1), facts, series, series_left_out_));
  }
  void LearnTimes(int times, const std::vector<JudgedSeries>& series,
                  const RunFacts& facts = Facts()) {
    for (int i = 0; i < times; ++i)
      Learn(series, facts);
  }
  Suggestion Suggest() { return SuggestBudgets(runs_, rules_); }
  // Why it was left out; empty where it was not.
  static std::string WhyLeftOut(const Suggestion& suggestion, const std::string& what) {
    for (const LeftOut& one : suggestion.left_out) {
      if (one.what == what) return one.why;
    }
    return "";
  }

  std::vector<LearntRun> runs_;
  std::set<LeftOut> series_left_out_;
  SuggestionRules rules_;
};

TEST_F(SuggestBudgetsTest, TakeTheFarthestValueAndTheMarginRoundedOutwards) {
  for (const std::int64_t hottest : {70100, 72400, 71000, 70500, 71900}) {
    Learn({Made(Key("temperature", Unit::kCelsius, 3), {40000, hottest})});
  }
  const Suggestion suggestion = Suggest();
  ASSERT_EQ(suggestion.budgets.size(), 1u);
  const SuggestedBudget& one = suggestion.budgets[0];
  EXPECT_EQ(one.limit_text, "79.7 C");  // 72.4 + 7.24 = 79.64
  EXPECT_EQ(one.budget.statistic, Statistic::kMax);
  EXPECT_EQ(one.runs, 5u);
  EXPECT_DOUBLE_EQ(one.lowest, 70.1);
  EXPECT_DOUBLE_EQ(one.highest, 72.4);
  EXPECT_EQ(one.budget.model, "Orin");
  EXPECT_EQ(one.budget.power_mode, "30W");
}

TEST_F(SuggestBudgetsTest, MakeNoLimitOfTooFewRuns) {
  LearnTimes(2, {Made(Key("temperature", Unit::kCelsius), {40})});
  const Suggestion suggestion = Suggest();
  EXPECT_TRUE(suggestion.budgets.empty());
  EXPECT_EQ(suggestion.runs, 0u);
  EXPECT_EQ(WhyLeftOut(suggestion, "Orin"), "n=2 of 5 needed");
}

TEST_F(SuggestBudgetsTest, CountNoRunThatHardlyMeasuredTheSeries) {
  LearnTimes(4, {Made(Key("temperature", Unit::kCelsius), {40})});
  Learn({Made(Key("temperature", Unit::kCelsius), {60}, 100)});
  EXPECT_EQ(WhyLeftOut(Suggest(), "temperature x"), "n=4 of 5 needed measured it well enough");
  Learn({Made(Key("temperature", Unit::kCelsius), {40})});
  const Suggestion suggestion = Suggest();
  ASSERT_EQ(suggestion.budgets.size(), 1u);
  EXPECT_EQ(suggestion.budgets[0].runs, 5u);
  EXPECT_EQ(suggestion.budgets[0].limit_text, "66.0 C") << "what was measured was there";
}

TEST_F(SuggestBudgetsTest, LimitWhatMustNotRunOutFromBelow) {
  LearnTimes(5, {Made(Key("memory_available", Unit::kBytes), {3 << 20, 2 << 20})});
  const Suggestion suggestion = Suggest();
  ASSERT_EQ(suggestion.budgets.size(), 1u);
  EXPECT_FALSE(suggestion.budgets[0].budget.is_upper);
  EXPECT_EQ(suggestion.budgets[0].budget.statistic, Statistic::kMin);
  EXPECT_EQ(suggestion.budgets[0].limit_text, "1.80 MiB");
}

TEST_F(SuggestBudgetsTest, LeaveOutWhatNoPastRunCanSay) {
  LearnTimes(5, {Made(Key("link_errors", Unit::kCount, 0, Shape::kCounter), {1}),
                 Made(Key("memory_total", Unit::kBytes), {1}),
                 Made(Key("gpu_frequency", Unit::kHertz), {1})});
  EXPECT_TRUE(Suggest().budgets.empty());
  EXPECT_EQ(series_left_out_.size(), 3u) << "each once, not once a run";
}

TEST_F(SuggestBudgetsTest, LeaveOutLimitsThatWouldAlwaysOrNeverBreak) {
  LearnTimes(5, {Made(Key("idle_load", Unit::kRatio, 2), {0}),
                 Made(Key("gpu_load", Unit::kRatio, 2), {97})});
  const Suggestion suggestion = Suggest();
  EXPECT_TRUE(suggestion.budgets.empty());
  EXPECT_EQ(WhyLeftOut(suggestion, "idle_load x"),
            "it was 0 in all runs, and a margin of 0 is none");
  EXPECT_EQ(WhyLeftOut(suggestion, "gpu_load x"),
            "its limit would be above 100 %, which nothing breaks");
}

TEST_F(SuggestBudgetsTest, KeepToThePowerModeOfMostRuns) {
  LearnTimes(5, {Made(Key("power", Unit::kWatts), {20})});
  Learn({Made(Key("power", Unit::kWatts), {60})}, Facts("50W"));
  const Suggestion suggestion = Suggest();
  ASSERT_EQ(suggestion.budgets.size(), 1u);
  EXPECT_EQ(suggestion.budgets[0].limit_text, "22.0 W");
  EXPECT_EQ(WhyLeftOut(suggestion, "rb12/1/6"), "its power mode is 50W, that of most is 30W");
}

TEST_F(SuggestBudgetsTest, KeepModelsApart) {
  LearnTimes(5, {Made(Key("power", Unit::kWatts), {20})});
  LearnTimes(5, {Made(Key("power", Unit::kWatts), {90})}, Facts("120W", "Thor"));
  const Suggestion suggestion = Suggest();
  ASSERT_EQ(suggestion.budgets.size(), 2u);
  EXPECT_EQ(suggestion.budgets[0].budget.name, "power x of Orin p95");
  EXPECT_EQ(suggestion.budgets[1].budget.name, "power x of Thor p95");
}

TEST_F(SuggestBudgetsTest, TakeTheRobotForAModelThatIsNotSaid) {
  RunFacts facts = Facts();
  facts.model.reset();
  facts.power_modes.clear();
  LearnTimes(5, {Made(Key("power", Unit::kWatts), {20})}, facts);
  const Budget budget = Suggest().budgets.at(0).budget;
  EXPECT_EQ(budget.robot, "rb12");
  EXPECT_EQ(budget.model, "");
  EXPECT_EQ(budget.power_mode, "");
}

TEST_F(SuggestBudgetsTest, AreWrittenSoThatTheyReadBackTheSame) {
  SeriesKey odd = Key("temperature", Unit::kCelsius, 3);
  odd.instance = "a \"b\" [c]*\\\n\x1b";
  LearnTimes(5, {Made(odd, {41375})}, Facts("MODE_*", "Orin \"x\"\n"));
  Suggestion suggestion = Suggest();
  suggestion.left_out.push_back({"rb1\n[[budget]]", "a\rb"});
  const std::string text = TextOf(suggestion, rules_, {"rb12*", 7});
  const auto read = ParseBudgets(text, "budgets.toml");
  ASSERT_TRUE(read.ok()) << read.error()->message() << text;
  ASSERT_EQ(read->size(), 1u) << text;
  const Budget& written = suggestion.budgets[0].budget;
  EXPECT_EQ(read->front().name, written.name);
  EXPECT_EQ(read->front().instance, written.instance);
  EXPECT_EQ(read->front().model, written.model);
  EXPECT_EQ(read->front().power_mode, written.power_mode);
  EXPECT_EQ(read->front().limit.value, written.limit.value);
  EXPECT_NE(text.find("# Throttling was not measured"), std::string::npos);
  EXPECT_NE(text.find("#   rb1\\u000a[[budget]]: a\\u000db\n"), std::string::npos) << text;
}

// Whatever the runs measured, and however small the margin.
TEST_F(SuggestBudgetsTest, AreBrokenByNoneOfTheirRuns) {
  std::mt19937 random(7);
  const auto draw = [&random](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  for (int round = 0; round < 200; ++round) {
    runs_.clear();
    rules_.margin = round % 3 == 0 ? 0 : 0.07;
    std::vector<std::vector<JudgedSeries>> made;
    for (int run = 0; run < 6; ++run) {
      std::vector<JudgedSeries> series;
      for (const SeriesKey& key :
           {Key("temperature", Unit::kCelsius, 3), Key("power", Unit::kWatts, 3),
            Key("load", Unit::kRatio, 4), Key("latency", Unit::kSeconds, 9),
            Key("memory_used", Unit::kBytes), Key("memory_free", Unit::kBytes),
            Key("current", Unit::kAmperes, 2)}) {
        const std::int64_t top = key.unit == Unit::kRatio ? 9000 : draw(1, 1'000'000'000'000);
        std::vector<std::int64_t> values;
        for (std::int64_t i = draw(1, 90); i > 0; --i)
          values.push_back(draw(key.unit == Unit::kCelsius ? -top : 0, top));
        series.push_back(Made(key, values));
      }
      Learn(series);
      made.push_back(std::move(series));
    }
    const auto budgets = ParseBudgets(TextOf(Suggest(), rules_, {"all", 6}), "budgets.toml");
    ASSERT_TRUE(budgets.ok()) << budgets.error()->message();
    for (const Budget& budget : *budgets) {
      for (const auto& series : made) {
        for (const Judgement& judgement : Judge(budget, Facts(), series, ReadingsOf())) {
          EXPECT_NE(judgement.verdict, BudgetVerdict::kFail)
              << budget.name << ' ' << judgement.value.value_or(0) << " against "
              << judgement.limit;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacho
