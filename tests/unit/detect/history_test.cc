// What the detector says of one history, verdict by verdict.
#include "server/detect/history.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "server/detect/bend.h"
#include "tests/support/made_series.h"

namespace tacho::detect {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Noise of 2 around 100.
std::vector<double> Nights(std::uint64_t seed, std::size_t nights = 120) {
  Draw draw(seed);
  return Scaled(MadeNoise(draw, nights), 2, 100);
}

TEST(History, OfNoiseIsOneSegment) {
  const History history = DetectHistory(Nights(1));
  EXPECT_TRUE(history.is_enough);
  EXPECT_TRUE(history.changes.empty());
  EXPECT_TRUE(history.drifts.empty());
  ASSERT_EQ(history.segments.size(), 1u);
  EXPECT_NEAR(history.level, 100, 1);
  EXPECT_NEAR(history.sigma, 2, 0.4);
  EXPECT_EQ(history.p, 1);
}

TEST(History, StepIsFoundWithSizePlaceAndChance) {
  const History history = DetectHistory(WithStep(Nights(2), 70, 8));
  ASSERT_EQ(history.changes.size(), 1u);
  const Change& change = history.changes[0];
  EXPECT_EQ(change.verdict, Verdict::kStep);
  EXPECT_NEAR(static_cast<double>(change.first), 70, 2);
  EXPECT_LE(change.earliest, 70u);
  EXPECT_GE(change.latest, 70u);
  EXPECT_LT(change.latest - change.earliest, 12u);
  EXPECT_NEAR(change.relative, 0.08, 0.015);
  EXPECT_NEAR(change.effect, 4, 1);
  EXPECT_LT(change.p, 1e-10);
  EXPECT_EQ(history.p, change.p);
}

TEST(History, StepIsProvisionalUntilTwoSegmentsLengthConfirmIt) {
  const std::vector<double> values = WithStep(Nights(3), 110, 12);
  const std::span<const double> all(values);
  const History early = DetectHistory(all.first(114));
  ASSERT_EQ(early.changes.size(), 1u);
  EXPECT_EQ(early.changes[0].verdict, Verdict::kProvisional);
  const History later = DetectHistory(all.first(116));
  ASSERT_EQ(later.changes.size(), 1u);
  EXPECT_EQ(later.changes[0].verdict, Verdict::kStep);
}

TEST(History, ChangeRightAfterTheBeginningIsProvisional) {
  const History history = DetectHistory(WithStep(Nights(4), 4, 20));
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_EQ(history.changes[0].verdict, Verdict::kProvisional);
}

TEST(History, SecondNightIsNeverAChange) {
  EXPECT_TRUE(DetectHistory(std::vector<double>{1, 1, 2}).changes.empty());
  EXPECT_FALSE(DetectHistory(std::vector<double>{1, 1, 2}).is_enough);
  EXPECT_TRUE(
      DetectHistory(std::vector<double>{100, 250, 251, 249, 250, 250, 251}).changes.empty());
}

TEST(History, BlipIsListedAndIsNoStep) {
  std::vector<double> values = Nights(5);
  values[60] = 124;  // 12 sigma
  values[80] = values[81] = 112;
  const History history = DetectHistory(values);
  EXPECT_TRUE(history.changes.empty());
  ASSERT_GE(history.blips.size(), 2u);
  const auto at = [&](std::size_t first) {
    for (const Blip& blip : history.blips) {
      if (blip.first == first) return blip;
    }
    return Blip{};
  };
  EXPECT_EQ(at(60).nights, 1u);
  EXPECT_EQ(at(60).value, 124);
  EXPECT_NEAR(at(60).effect, 12, 3);
  EXPECT_EQ(at(80).nights, 2u);
  EXPECT_TRUE(at(80).is_settled);
}

TEST(History, BlipOfTheLastNightIsNotSettled) {
  std::vector<double> values = Nights(6);
  values.back() = 130;
  const History history = DetectHistory(values);
  EXPECT_TRUE(history.changes.empty());
  ASSERT_FALSE(history.blips.empty());
  EXPECT_EQ(history.blips.back().first, 119u);
  EXPECT_FALSE(history.blips.back().is_settled);
}

TEST(History, ChangeThatCameBackWentAway) {
  const History history = DetectHistory(WithStep(WithStep(Nights(7), 50, 10), 70, -10));
  ASSERT_EQ(history.changes.size(), 2u);
  EXPECT_EQ(history.changes[0].verdict, Verdict::kWentAway);
  EXPECT_EQ(history.changes[0].went_away_at, history.changes[1].first);
  EXPECT_EQ(history.changes[1].verdict, Verdict::kStep);
  EXPECT_TRUE(history.changes[1].is_return);
}

TEST(History, ReturnMustLastBeforeAnythingWentAway) {
  const History history = DetectHistory(WithStep(WithStep(Nights(7), 50, 10), 116, -10));
  ASSERT_EQ(history.changes.size(), 2u);
  EXPECT_EQ(history.changes[0].verdict, Verdict::kStep);
  EXPECT_EQ(history.changes[1].verdict, Verdict::kProvisional);
  EXPECT_TRUE(history.changes[1].is_return);
}

TEST(History, ChangeToACapIsCensored) {
  std::vector<double> values = WithStep(Nights(8), 60, 20);
  for (double& value : values)
    value = std::min(value, 115.0);
  HistoryOptions options;
  options.ceiling = 115;
  const History history = DetectHistory(values, options);
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_EQ(history.changes[0].verdict, Verdict::kCensored);
}

TEST(History, DriftIsOneDriftAndNoStaircase) {
  const History history = DetectHistory(WithRamp(Nights(9), 0, 120, 10));
  EXPECT_TRUE(history.changes.empty());
  ASSERT_EQ(history.drifts.size(), 1u);
  EXPECT_EQ(history.drifts[0].first, 0u);
  EXPECT_EQ(history.drifts[0].end, 120u);
  EXPECT_NEAR(history.drifts[0].to - history.drifts[0].from, 10, 1.5);
  EXPECT_NEAR(history.drifts[0].relative, 0.1, 0.02);
  EXPECT_LT(history.drifts[0].p, 1e-6);
  EXPECT_TRUE(FirstIndices(history).empty());
}

TEST(History, DriftThatBeginsInTheMiddleIsNoStepEither) {
  const History history = DetectHistory(WithRamp(Nights(10), 60, 120, 16));
  EXPECT_TRUE(history.changes.empty());
  ASSERT_EQ(history.drifts.size(), 1u);
  EXPECT_NEAR(static_cast<double>(history.drifts[0].first), 60, 15);
}

TEST(History, StepInADriftIsStillAStep) {
  const History history = DetectHistory(WithStep(WithRamp(Nights(11), 0, 120, 20), 60, 20));
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_NEAR(static_cast<double>(history.changes[0].first), 60, 1);
  EXPECT_FALSE(history.drifts.empty());
}

TEST(History, WeekdaysAreTakenOffWhenAsked) {
  std::vector<double> values = WithStep(Nights(12), 70, 5);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] += i % 7 >= 5 ? 14 : 0;
  HistoryOptions options;
  options.season = 7;
  const History history = DetectHistory(values, options);
  EXPECT_EQ(history.season.size(), 7u);
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_NEAR(static_cast<double>(history.changes[0].first), 70, 3);
  EXPECT_NEAR(history.sigma, 2, 0.5);
}

TEST(History, WiderNoiseIsAChangeOfSpreadAndNoStep) {
  std::vector<double> values = Nights(13);
  for (std::size_t i = 60; i < values.size(); ++i)
    values[i] = 100 + 3 * (values[i] - 100);
  const History history = DetectHistory(values);
  EXPECT_TRUE(history.changes.empty());
  ASSERT_EQ(history.spreads.size(), 1u);
  EXPECT_NEAR(static_cast<double>(history.spreads[0].first), 60, 8);
  EXPECT_LT(history.spreads[0].p, 0.01);
}

TEST(History, SmallStepsCountTogether) {
  std::vector<double> values = Scaled(Nights(14, 200), 0.05, 95);  // noise of 0.1 around 100
  for (const std::size_t first : {40u, 80u, 120u, 160u})
    values = WithStep(values, first, 2);
  HistoryOptions options;
  options.least_relative = 0.05;
  const History history = DetectHistory(values, options);
  EXPECT_EQ(history.small.size(), 3u);
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_TRUE(history.changes[0].is_cumulative);
  EXPECT_EQ(history.changes[0].first, 120u);  // 100 -> 106: the third of them
  EXPECT_NEAR(history.changes[0].before, 100, 0.1);
  EXPECT_NEAR(history.changes[0].relative, 0.06, 0.002);
}

TEST(History, ConstantSeriesWithoutNoiseStepsCleanly) {
  EXPECT_EQ(DetectHistory(std::vector<double>(50, 7.5)).segments.size(), 1u);
  const History history = DetectHistory(WithStep(std::vector<double>(50, 7.5), 20, 0.25));
  ASSERT_EQ(history.changes.size(), 1u);
  EXPECT_EQ(history.changes[0].first, 20u);
  EXPECT_EQ(history.changes[0].before, 7.5);
  EXPECT_EQ(history.changes[0].after, 7.75);
}

// Without noise the rounding of the sums is all there is: it must never look like a change.
TEST(History, RoundingIsNoChange) {
  Draw draw(11);
  constexpr double kLevels[] = {5, 0.1, 1.0 / 3, 1000000.1, 8.255133986942014e-4};
  constexpr double kFactors[] = {1.2, 0.7, 2, 1.000001};
  for (int round = 0; round < 300; ++round) {
    const double level = kLevels[draw.Index(std::size(kLevels))];
    const double after = level * kFactors[draw.Index(std::size(kFactors))];
    const std::size_t nights = 20 + draw.Index(100);
    const std::size_t at = 8 + draw.Index(nights - 16);
    std::vector<double> values(nights, level);
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(at), values.end(), after);
    const History history = DetectHistory(values);
    ASSERT_EQ(history.changes.size(), 1u) << level << " at " << at << " of " << nights;
    EXPECT_EQ(history.changes[0].first, at);
  }
}

TEST(History, CountsWhatItDidNotLookAt) {
  std::vector<double> values = Nights(15, kMostNights + 10);
  values[kMostNights] = kMissing;
  values[3] = std::numeric_limits<double>::infinity();
  const History history = DetectHistory(values);
  EXPECT_EQ(history.missing, 2u);
  EXPECT_EQ(history.nights, kMostNights + 8);
  EXPECT_EQ(history.too_old, 8u);
}

TEST(History, OfNothingSaysThatItIsNotEnough) {
  EXPECT_FALSE(DetectHistory({}).is_enough);
  EXPECT_FALSE(DetectHistory(std::vector<double>(40, kMissing)).is_enough);
}

TEST(Bend, CostsNothingWhereTheLineBendsAndSomethingWhereItJumps) {
  std::vector<double> bent(40);
  for (std::size_t i = 15; i < bent.size(); ++i)
    bent[i] = static_cast<double>(i - 15);
  const PieceCosts costs(bent, 0.3);
  EXPECT_NEAR(CostOfBend(costs, costs.Fit(0, 18, false), costs.Fit(18, 40, true)), 0, 1e-9);
  const PieceCosts jumped(WithStep(bent, 15, 5), 0.3);
  EXPECT_GT(CostOfBend(jumped, jumped.Fit(0, 15, false), jumped.Fit(15, 40, true)), 10);
}

}  // namespace
}  // namespace tacho::detect
