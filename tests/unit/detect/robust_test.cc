// Medians and robust scale.
#include "server/detect/robust.h"

#include <gtest/gtest.h>
#include <vector>

#include "tests/support/made_series.h"

namespace tacho::detect {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(Median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(Median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Median({}), 0);
}

TEST(Median, OfTwoHugeValuesDoesNotOverflow) {
  EXPECT_EQ(Median(std::vector<double>{1.5e308, 1.7e308}), 1.6e308);
}

TEST(MadSigma, EstimatesTheStandardDeviationOfNoiseAndIgnoresOutliers) {
  Draw draw(1);
  std::vector<double> values = MadeNoise(draw, 4000);
  for (std::size_t i = 0; i < 400; ++i)
    values[i] = 1e6;
  EXPECT_NEAR(MadSigma(values), 1.15, 0.08);  // a tenth of outliers widens it by an eighth
}

TEST(RunningMedian, ShrinksItsWindowAtBothEnds) {
  const std::vector<double> values{5, 1, 9, 2, 8};
  EXPECT_EQ(RunningMedian(values, 1), (std::vector<double>{3, 5, 2, 8, 5}));
}

TEST(DifferenceSigma, IsNotMovedByASingleStep) {
  Draw draw(2);
  const std::vector<double> noise = MadeNoise(draw, 2000);
  EXPECT_NEAR(DifferenceSigma(noise), 1, 0.05);
  EXPECT_NEAR(DifferenceSigma(WithStep(noise, 1000, 50)), 1, 0.05);
}

TEST(DifferenceSigma, FallsBackToTheMeanSquareWhenMostDifferencesAreEqual) {
  EXPECT_GT(DifferenceSigma(std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2}), 0);
  EXPECT_EQ(DifferenceSigma(std::vector<double>{1}), 0);
}

}  // namespace
}  // namespace tacho::detect
