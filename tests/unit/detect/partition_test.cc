// The cheapest cut, against the slow and obvious way.
#include "server/detect/partition.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "tests/support/made_series.h"

namespace tacho::detect {
namespace {

// The error of level + slope * i in autoregressive noise, as its definition says.
double Error(std::span<const double> values, double rho, double level, double slope) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double away = values[i] - level - slope * static_cast<double>(i);
    if (i == 0) {
      sum += (1 - rho * rho) * away * away;
    } else {
      const double last = values[i - 1] - level - slope * static_cast<double>(i - 1);
      sum += (away - rho * last) * (away - rho * last);
    }
  }
  return sum;
}

// The least total over all ways to cut [0, end), by recursion.
double LeastTotal(const PieceCosts& costs, const PartitionLimits& limits, std::size_t end) {
  if (end == 0) return -limits.change_penalty;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first + limits.shortest <= end; ++first) {
    const double before = LeastTotal(costs, limits, first) + limits.change_penalty;
    least = std::min(least, before + costs.Flat(first, end));
    if (limits.shortest_slope > 0 && end - first >= limits.shortest_slope) {
      least = std::min(least, before + costs.Sloped(first, end) + limits.slope_penalty);
    }
  }
  return least;
}

TEST(PieceCosts, AreTheErrorsOfTheFitTheyReturn) {
  Draw draw(3);
  for (const double rho : {0.0, 0.3, 0.8}) {
    const std::vector<double> values = MadeNoise(draw, 30, rho);
    const PieceCosts costs(values, rho);
    const std::span<const double> part = std::span(values).subspan(7, 15);
    const Piece flat = costs.Fit(7, 22, false);
    const Piece line = costs.Fit(7, 22, true);
    EXPECT_NEAR(costs.Flat(7, 22), Error(part, rho, flat.level, 0), 1e-10);
    EXPECT_NEAR(costs.Sloped(7, 22), Error(part, rho, line.level, line.slope), 1e-10);
    EXPECT_LT(line.cost, Error(part, rho, line.level + 0.01, line.slope));
    EXPECT_LT(line.cost, Error(part, rho, line.level, line.slope + 0.01));
    EXPECT_LT(flat.cost, Error(part, rho, flat.level - 0.01, 0));
  }
}

TEST(PieceCosts, WithoutCorrelationAreThePlainSumOfSquares) {
  const PieceCosts costs(std::vector<double>{1, 2, 3, 4}, 0);
  EXPECT_DOUBLE_EQ(costs.Flat(0, 4), 5);
  EXPECT_NEAR(costs.Sloped(0, 4), 0, 1e-12);
  EXPECT_DOUBLE_EQ(costs.Flat(2, 3), 0);
}

TEST(Partition, IsAsCheapAsTheBestOfAllCuts) {
  Draw draw(4);
  for (int round = 0; round < 20; ++round) {
    const std::vector<double> values =
        WithRamp(WithStep(MadeNoise(draw, 14), draw.Index(14), draw.Between(-4, 4)), 5, 12, 3);
    const PieceCosts costs(values, 0.2);
    const PartitionLimits limits{
        .change_penalty = 2, .slope_penalty = 1.5, .shortest = 2, .shortest_slope = 4};
    double total = -limits.change_penalty;
    std::size_t expected_first = 0;
    for (const Piece& piece : Partition(costs, limits)) {
      EXPECT_EQ(piece.first, expected_first);
      EXPECT_GE(piece.size(), limits.shortest);
      total += piece.cost + limits.change_penalty + (piece.is_sloped ? limits.slope_penalty : 0);
      expected_first = piece.end;
    }
    EXPECT_EQ(expected_first, values.size());
    EXPECT_NEAR(total, LeastTotal(costs, limits, values.size()), 1e-9);
  }
}

TEST(Partition, CutsWhereTheLevelChangesAndNowhereElse) {
  const PieceCosts costs(std::vector<double>{0, 0, 0, 0, 5, 5, 5, 5, 5}, 0);
  const std::vector<Piece> pieces = Partition(costs, {.change_penalty = 1, .shortest = 3});
  ASSERT_EQ(pieces.size(), 2u);
  EXPECT_EQ(pieces[1].first, 4u);
  EXPECT_DOUBLE_EQ(pieces[1].level, 5);
}

TEST(Partition, PrefersOneSlopeToAStaircase) {
  std::vector<double> values(30);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i);
  const PieceCosts costs(values, 0);
  const std::vector<Piece> pieces = Partition(
      costs, {.change_penalty = 3, .slope_penalty = 2, .shortest = 3, .shortest_slope = 14});
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_TRUE(pieces[0].is_sloped);
  EXPECT_DOUBLE_EQ(pieces[0].slope, 1);
}

}  // namespace
}  // namespace tacho::detect
