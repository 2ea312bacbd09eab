// Verdicts: what is known decides, and what is missing is never good.
#include "server/judge/judge.h"

#include <gtest/gtest.h>
#include <random>

#include "server/judge/quantile.h"
#include "tests/support/made_records.h"

namespace tacho {
namespace {

// A series of `values` a second apart, of a run as long as `expected` seconds.
struct MadeSeries {
  JudgedSeries series;
  std::vector<SeriesReading> readings;

  MadeSeries(std::vector<std::int64_t> values, std::uint64_t expected, Unit unit = Unit::kCelsius,
             Shape shape = Shape::kGauge) {
    series.key = {"temperature", "tj", unit, 0, shape};
    series.expected = expected;
    series.period = std::chrono::seconds(1);
    SeriesRollup& rollup = series.rollup;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t value = values[i];
      ++rollup.present;
      rollup.sum += value;
      rollup.squares += static_cast<UInt128>(value * value);
      rollup.min = std::min(rollup.min, value);
      rollup.max = std::max(rollup.max, value);
      rollup.histogram.Add(value);
      readings.push_back(
          {At(static_cast<double>(i)), value, value, value, static_cast<double>(value)});
    }
  }
};

Budget MadeBudget(Statistic statistic, std::string limit, bool is_upper = true) {
  Budget budget;
  budget.name = "b";
  budget.metric = "temperature";
  budget.statistic = statistic;
  budget.limit = ParseLimit(limit).value();
  budget.is_upper = is_upper;
  return budget;
}

RunFacts MadeFacts(std::size_t seconds = 100) {
  RunFacts facts;
  facts.robot = "rb12";
  facts.model = "Orin";
  facts.power_modes = {"30W"};
  facts.duration = std::chrono::seconds(seconds);
  return facts;
}

Judgement JudgeOne(const Budget& budget, const MadeSeries& made, RunFacts facts = MadeFacts()) {
  const auto readings = [&](const SeriesKey&) -> Result<std::vector<SeriesReading>> {
    return made.readings;
  };
  return Judge(budget, facts, std::span(&made.series, 1), readings).at(0);
}

TEST(Judge, PassesAtTheLimitAndFailsAboveIt) {
  const MadeSeries made({40, 65}, 2);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMax, "65 C"), made).verdict, BudgetVerdict::kPass);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMax, "64.9 C"), made).verdict, BudgetVerdict::kFail);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMin, "40 C", false), made).verdict,
            BudgetVerdict::kPass);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMin, "41 C", false), made).verdict,
            BudgetVerdict::kFail);
}

TEST(Judge, NeedsCoverage) {
  const MadeSeries made(std::vector<std::int64_t>(50, 40), 100);
  const Judgement judgement = JudgeOne(MadeBudget(Statistic::kMax, "65 C"), made);
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kNoData);
  EXPECT_EQ(judgement.reason, "coverage 50.0 %, 90.0 % asked");
  EXPECT_FALSE(judgement.value.has_value());
}

TEST(Judge, FailsOnAMeasuredBreachWhateverIsMissing) {
  const MadeSeries made(std::vector<std::int64_t>(50, 70), 100);
  const Judgement high = JudgeOne(MadeBudget(Statistic::kMax, "65 C"), made);
  EXPECT_EQ(high.verdict, BudgetVerdict::kFail);
  EXPECT_EQ(high.value, 70);
  EXPECT_EQ(high.reason, "coverage 50.0 %, 90.0 % asked");
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMin, "75 C", false), made).verdict,
            BudgetVerdict::kFail);
  // What might still have come could mend these.
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMin, "65 C"), made).verdict, BudgetVerdict::kNoData);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMean, "65 C"), made).verdict, BudgetVerdict::kNoData);
}

TEST(Judge, FailsOnEnergyThatWasMeasuredAlready) {
  const MadeSeries made(std::vector<std::int64_t>(50, 70), 100, Unit::kWatts);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kIntegral, "3000 J"), made).verdict,
            BudgetVerdict::kFail);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kIntegral, "4000 J"), made).verdict,
            BudgetVerdict::kNoData);
}

TEST(Judge, AsksForTheUnitOfARatio) {
  const MadeSeries made(std::vector<std::int64_t>(50, 1), 50, Unit::kRatio);
  const Judgement judgement = JudgeOne(MadeBudget(Statistic::kMax, "95"), made);
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kInvalid);
  EXPECT_EQ(judgement.reason, "the limit is in no unit, temperature is in %");
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMax, "95 %"), made).verdict, BudgetVerdict::kFail);
}

TEST(Judge, TellsWhyReadingsWereAbsent) {
  MadeSeries made(std::vector<std::int64_t>(50, 40), 100);
  made.series.rollup.absent[static_cast<std::size_t>(Why::kGated)] = 40;
  made.series.rollup.absent[static_cast<std::size_t>(Why::kBroken)] = 2;
  const Judgement judgement = JudgeOne(MadeBudget(Statistic::kMax, "65 C"), made);
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kNoData);
  EXPECT_EQ(judgement.reason, "coverage 50.0 %, 90.0 % asked: 40 gated, 2 broken");
}

TEST(Judge, NeedsReadings) {
  Budget budget = MadeBudget(Statistic::kMax, "65 C");
  budget.min_count = 10;
  const Judgement judgement = JudgeOne(budget, MadeSeries({40, 41}, 2));
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kNoData);
  EXPECT_EQ(judgement.reason, "2 readings, 10 asked");
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMax, "65 C"), MadeSeries({}, 0)).verdict,
            BudgetVerdict::kNoData);
}

TEST(Judge, SaysWhenNoSeriesMatches) {
  const auto judgements = Judge(MadeBudget(Statistic::kMax, "65 C"), MadeFacts(), {}, {});
  ASSERT_EQ(judgements.size(), 1u);
  EXPECT_EQ(judgements[0].verdict, BudgetVerdict::kNoData);
  EXPECT_EQ(judgements[0].reason, "no series matches");
}

TEST(Judge, IsInvalidUnderThrottlingUnlessTheBudgetHoldsThen) {
  RunFacts facts = MadeFacts();
  facts.throttles = {"gpu"};
  Budget budget = MadeBudget(Statistic::kMax, "65 C");
  const MadeSeries made({40, 70}, 2);
  EXPECT_EQ(JudgeOne(budget, made, facts).verdict, BudgetVerdict::kInvalid);
  budget.holds_when_throttled = true;
  EXPECT_EQ(JudgeOne(budget, made, facts).verdict, BudgetVerdict::kFail);
}

TEST(Judge, IsInvalidWhenTheClockSteppedInside) {
  RunFacts facts = MadeFacts();
  facts.clock_steps = {"+3 h"};
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMax, "65 C"), MadeSeries({40}, 1), facts).verdict,
            BudgetVerdict::kInvalid);
}

TEST(Judge, IsInvalidInAnotherPowerMode) {
  Budget budget = MadeBudget(Statistic::kMax, "65 C");
  budget.power_mode = "40W";
  const Judgement other = JudgeOne(budget, MadeSeries({40}, 1));
  EXPECT_EQ(other.verdict, BudgetVerdict::kInvalid);
  EXPECT_EQ(other.reason, "the power mode is 30W, the budget is for 40W");
  RunFacts changed = MadeFacts();
  changed.power_modes = {"40W", "30W"};
  EXPECT_EQ(JudgeOne(budget, MadeSeries({40}, 1), changed).verdict, BudgetVerdict::kInvalid);
  RunFacts unsaid = MadeFacts();
  unsaid.power_modes = {};
  EXPECT_EQ(JudgeOne(budget, MadeSeries({40}, 1), unsaid).verdict, BudgetVerdict::kNoData);
}

TEST(Judge, IsInvalidInTheWrongUnit) {
  const Judgement judgement = JudgeOne(MadeBudget(Statistic::kMax, "65 W"), MadeSeries({40}, 1));
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kInvalid);
  EXPECT_EQ(judgement.reason, "the limit is in W, temperature is in C");
}

TEST(Judge, AppliesWhereItsSelectorsSay) {
  Budget budget = MadeBudget(Statistic::kMax, "65 C");
  budget.robot = "rb1?";
  budget.model = "*Orin*";
  EXPECT_EQ(WhyNotFor(budget, MadeFacts()), "");
  budget.model = "*Thor*";
  EXPECT_EQ(WhyNotFor(budget, MadeFacts()), "it is for models *Thor*");
  RunFacts unsaid = MadeFacts();
  unsaid.model.reset();
  EXPECT_EQ(WhyNotFor(budget, unsaid), "");
  EXPECT_EQ(JudgeOne(budget, MadeSeries({40}, 1), unsaid).verdict, BudgetVerdict::kNoData);
}

TEST(Judge, IsMarginalWhereTheIntervalStraddlesTheLimit) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(i % 100);
  const MadeSeries made(values, 1000);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kP50, "60 C"), made).verdict, BudgetVerdict::kPass);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kP50, "50 C"), made).verdict, BudgetVerdict::kMarginal);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kP50, "40 C"), made).verdict, BudgetVerdict::kFail);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMean, "60 C"), made).verdict, BudgetVerdict::kPass);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMean, "50 C"), made).verdict, BudgetVerdict::kMarginal);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMean, "40 C"), made).verdict, BudgetVerdict::kFail);
}

TEST(Judge, CannotPassAQuantileThatFewReadingsDoNotBound) {
  const MadeSeries made(std::vector<std::int64_t>(50, 40), 50);
  const Judgement judgement = JudgeOne(MadeBudget(Statistic::kP99, "65 C"), made);
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kMarginal);
  EXPECT_EQ(judgement.reason, "50 readings are too few to bound p99");
  EXPECT_FALSE(judgement.high.has_value());
}

TEST(Judge, HasNoQuantileOfWhatTheRobotFolded) {
  MadeSeries made(std::vector<std::int64_t>(1000, 40), 1000);
  made.series.rollup.has_folds = true;
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kP95, "65 C"), made).verdict, BudgetVerdict::kNoData);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kMean, "65 C"), made).verdict, BudgetVerdict::kPass);
}

TEST(Judge, RateCountsAcrossAReset) {
  const MadeSeries made({10, 12, 14, 1, 3}, 5, Unit::kCount, Shape::kCounter);
  const Judgement judgement = JudgeOne(MadeBudget(Statistic::kRate, "2 /s"), made, MadeFacts(5));
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kPass);
  EXPECT_DOUBLE_EQ(judgement.value.value(), 7.0 / 4);
}

TEST(Judge, RateIsOfCountersOnly) {
  const MadeSeries made({1, 2}, 2, Unit::kCount);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kRate, "2 /s"), made, MadeFacts(2)).verdict,
            BudgetVerdict::kNoData);
}

TEST(Judge, IntegralOfAPowerIsAnEnergy) {
  const MadeSeries made({10, 20, 10}, 3, Unit::kWatts);
  const Judgement judgement =
      JudgeOne(MadeBudget(Statistic::kIntegral, "30 J"), made, MadeFacts(3));
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kPass);
  EXPECT_DOUBLE_EQ(judgement.value.value(), 30);
  EXPECT_EQ(judgement.unit, "J");
}

TEST(Judge, IntegralLeavesGapsOutAndMissesTheirTime) {
  MadeSeries made({10, 10, 10, 10}, 4, Unit::kWatts);
  for (std::size_t i = 2; i < 4; ++i)
    made.readings[i].at += std::chrono::seconds(60);
  EXPECT_EQ(JudgeOne(MadeBudget(Statistic::kIntegral, "30 J"), made, MadeFacts(64)).verdict,
            BudgetVerdict::kNoData);
}

TEST(Judge, ForAsksHowLongALevelWasHeld) {
  std::vector<std::int64_t> values(60, 40);
  for (std::size_t i = 20; i < 26; ++i)
    values[i] = 80;  // 5 s above
  values[40] = 90;   // a spike
  const MadeSeries made(values, 60);
  Budget budget = MadeBudget(Statistic::kMax, "65 C");
  budget.held_for = std::chrono::seconds(10);
  EXPECT_EQ(JudgeOne(budget, made).verdict, BudgetVerdict::kPass);
  budget.held_for = std::chrono::seconds(5);
  const Judgement judgement = JudgeOne(budget, made);
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kFail);
  EXPECT_EQ(judgement.value, 80);
  budget.held_for = std::chrono::minutes(5);
  EXPECT_EQ(JudgeOne(budget, made).verdict, BudgetVerdict::kNoData);
}

TEST(Judge, ForWorksDownwards) {
  std::vector<std::int64_t> values(60, 40);
  for (std::size_t i = 20; i < 32; ++i)
    values[i] = 3;
  Budget budget = MadeBudget(Statistic::kMin, "10 C", false);
  budget.held_for = std::chrono::seconds(10);
  const Judgement judgement = JudgeOne(budget, MadeSeries(values, 60));
  EXPECT_EQ(judgement.verdict, BudgetVerdict::kFail);
  EXPECT_EQ(judgement.value, 3);
}

TEST(Judge, RunVerdictIsTheWorst) {
  using enum BudgetVerdict;
  EXPECT_EQ(WorstOf(std::vector{kPass, kMarginal, kPass}), kMarginal);
  EXPECT_EQ(WorstOf(std::vector{kPass, kInvalid, kMarginal}), kInvalid);
  EXPECT_EQ(WorstOf(std::vector{kNoData, kFail, kPass}), kFail);
  EXPECT_EQ(WorstOf({}), kNoData);
}

// Taking readings away may turn PASS into MARGINAL or NO_DATA, and never FAIL into PASS by itself
// being missing: whatever is judged PASS had its coverage.
TEST(Judge, NeverPassesWithoutTheCoverageAsked) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 500; ++round) {
    std::vector<std::int64_t> values;
    const std::size_t held = random() % 100;
    for (std::size_t i = 0; i < held; ++i)
      values.push_back(static_cast<std::int64_t>(random() % 80));
    const MadeSeries made(values, 100);
    for (const Statistic statistic : {Statistic::kP50, Statistic::kP95, Statistic::kP99,
                                      Statistic::kMax, Statistic::kMin, Statistic::kMean}) {
      const Judgement judgement = JudgeOne(MadeBudget(statistic, "79 C"), made);
      const bool has_data = held >= 90;
      EXPECT_EQ(judgement.verdict == BudgetVerdict::kNoData, !has_data) << held;
    }
  }
}

TEST(QuantileRanks, EncloseTheQuantileAsOftenAsTheySay) {
  std::mt19937_64 random(5);
  for (const double q : {0.5, 0.95, 0.99}) {
    const std::uint64_t count = 400;
    const RankInterval ranks = QuantileRanks(q, count);
    int missed = 0;
    const int rounds = 4000;
    for (int round = 0; round < rounds; ++round) {
      std::uint64_t below = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        below += static_cast<double>(random() >> 11) * 0x1p-53 < q ? 1u : 0u;
      }
      const bool is_low_wrong = ranks.low && below < *ranks.low;
      const bool is_high_wrong = ranks.high && below >= *ranks.high;
      missed += is_low_wrong || is_high_wrong ? 1 : 0;
    }
    EXPECT_LE(missed, rounds * 0.06) << q;
  }
}

TEST(QuantileRanks, AreUnboundedWhereReadingsAreFew) {
  EXPECT_FALSE(QuantileRanks(0.99, 100).high.has_value());
  EXPECT_TRUE(QuantileRanks(0.99, 400).high.has_value());
  EXPECT_FALSE(QuantileRanks(0.5, 5).low.has_value());
  EXPECT_TRUE(QuantileRanks(0.5, 6).low.has_value());
}

TEST(QuantileRanks, HardlyJumpWhereTheNormalApproximationBegins) {
  const RankInterval exact = QuantileRanks(0.5, 2000);
  const RankInterval normal = QuantileRanks(0.5, 2002);
  EXPECT_NEAR(static_cast<double>(*exact.low), static_cast<double>(*normal.low), 3);
  EXPECT_NEAR(static_cast<double>(*exact.high), static_cast<double>(*normal.high), 3);
}

}  // namespace
}  // namespace tacho
