// What the detector believes of the noise: outliers, autocorrelation, season, spread.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <vector>

#include "server/detect/autocorrelation.h"
#include "server/detect/outliers.h"
#include "server/detect/robust.h"
#include "server/detect/season.h"
#include "server/detect/spread.h"
#include "tests/support/made_series.h"

namespace tacho::detect {
namespace {

double MeanRho(std::uint64_t seed, double rho, double step) {
  Draw draw(seed);
  double sum = 0;
  for (int i = 0; i < 200; ++i) {
    sum += Autocorrelation(WithStep(MadeNoise(draw, 365, rho), 150, step)) / 200;
  }
  return sum;
}

TEST(Autocorrelation, IsFoundAndNotMistakenForAStep) {
  EXPECT_NEAR(MeanRho(5, 0.3, 0), 0.3, 0.04);
  EXPECT_NEAR(MeanRho(6, 0.6, 0), 0.6, 0.05);
  EXPECT_NEAR(MeanRho(7, 0.3, 4), 0.3, 0.06);
  EXPECT_LT(MeanRho(8, 0, 4), 0.1);
}

TEST(Autocorrelation, OfAlternatingOrFewValuesCountsAsNone) {
  std::vector<double> values(40);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i % 2 == 0 ? 1 : -1;
  EXPECT_EQ(Autocorrelation(values), 0);
  EXPECT_EQ(Autocorrelation(std::vector<double>{1, 2, 3}), 0);
}

TEST(CleanOutliers, ReplacesOneAndTwoBadNightsButNotThree) {
  Draw draw(9);
  std::vector<double> values = MadeNoise(draw, 100);
  values[10] = 12;
  values[20] = values[21] = 11;
  values[30] = values[31] = values[32] = 10;
  const Cleaned cleaned = CleanOutliers(values);
  EXPECT_LT(std::abs(cleaned.values[10]), 3);
  EXPECT_LT(std::abs(cleaned.values[20]), 3);
  EXPECT_LT(std::abs(cleaned.values[21]), 3);
  EXPECT_EQ(cleaned.values[31], 10);
  EXPECT_TRUE(cleaned.is_outlier[10]);
}

TEST(CleanOutliers, DrawsInTheNewestNightsOnly) {
  Draw draw(10);
  std::vector<double> values = MadeNoise(draw, 60);
  values[58] = 50;
  const Cleaned cleaned = CleanOutliers(values);
  EXPECT_GT(cleaned.values[58], 4);
  EXPECT_LT(cleaned.values[58], 9);
  EXPECT_TRUE(cleaned.is_outlier[58]);
}

TEST(CleanOutliers, LeavesTheEdgeOfAStepBesideABlipAlone) {
  Draw draw(11);
  std::vector<double> values = WithStep(MadeNoise(draw, 60), 30, -10);
  values[25] = -40;
  const Cleaned cleaned = CleanOutliers(values);
  for (const std::size_t i : {26u, 27u, 28u, 29u, 30u, 31u}) {
    EXPECT_EQ(cleaned.values[i], values[i]) << i;
  }
}

TEST(CleanOutliers, TouchesNoMixture) {
  Draw draw(12);
  std::vector<double> values = MadeNoise(draw, 100);
  for (double& value : values) {
    if (draw.Uniform() < 0.3) value += 12;
  }
  const Cleaned cleaned = CleanOutliers(values);
  EXPECT_EQ(cleaned.values, values);
}

TEST(Season, IsTheMedianOfEachPhaseAroundTheLevel) {
  Draw draw(13);
  std::vector<double> values = WithStep(MadeNoise(draw, 140), 70, 8);
  std::vector<std::size_t> phases(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    phases[i] = i % 7;
    if (phases[i] == 5 || phases[i] == 6) values[i] += 6;
  }
  const std::vector<double> season = SeasonOf(values, phases, 7);
  ASSERT_EQ(season.size(), 7u);
  EXPECT_NEAR(season[5] - season[2], 6, 1.2);
  EXPECT_NEAR(season[6] - season[0], 6, 1.2);
  EXPECT_NEAR(season[1] - season[3], 0, 1.2);
}

TEST(Season, IsNotBelievedWithoutEightOfThemOrWithoutAReason) {
  Draw draw(14);
  std::vector<double> noise = MadeNoise(draw, 140);
  std::vector<std::size_t> phases(noise.size());
  for (std::size_t i = 0; i < noise.size(); ++i)
    phases[i] = i % 7;
  EXPECT_TRUE(SeasonOf(noise, phases, 7).empty());
  EXPECT_TRUE(SeasonOf(std::span(noise).first(50), std::span(phases).first(50), 7).empty());
}

TEST(SpreadChange, IsFoundWhereTheNoiseTriples) {
  int found = 0;
  std::vector<double> ratios;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Draw draw(100 + seed);
    std::vector<double> values = MadeNoise(draw, 120);
    for (std::size_t i = 60; i < values.size(); ++i)
      values[i] *= 3;
    const std::vector<SpreadChange> changes = FindSpreadChanges(values, {});
    if (changes.size() != 1) continue;
    if (changes[0].first >= 50 && changes[0].first <= 70) ++found;
    ratios.push_back(changes[0].after / changes[0].before);
  }
  EXPECT_GE(found, 95);
  EXPECT_NEAR(Median(ratios), 3, 0.3);
}

TEST(SpreadChange, IsRareInNoiseAndAmongSpikes) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw(300 + seed);
    alarms += FindSpreadChanges(MadeNoise(draw, 120), {}).empty() ? 0 : 1;
    alarms += FindSpreadChanges(WithSpikes(draw, MadeNoise(draw, 120), 0.05), {}).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 8);  // of 400 series
}

}  // namespace
}  // namespace tacho::detect
