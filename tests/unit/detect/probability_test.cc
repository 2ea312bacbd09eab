// Tail probabilities, against printed tables.
#include "server/detect/probability.h"

#include <gtest/gtest.h>
#include <limits>

namespace tacho::detect {
namespace {

TEST(StudentTwoSided, AgreesWithTheTables) {
  EXPECT_NEAR(StudentTwoSided(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(StudentTwoSided(2.228, 10), 0.05, 1e-4);
  EXPECT_NEAR(StudentTwoSided(-3.169, 10), 0.01, 1e-4);
  EXPECT_NEAR(StudentTwoSided(1.959964, 1e6), 0.05, 1e-5);
}

TEST(StudentTwoSided, GoesFromOneAtZeroToZeroAtInfinity) {
  EXPECT_DOUBLE_EQ(StudentTwoSided(0, 5), 1);
  EXPECT_EQ(StudentTwoSided(std::numeric_limits<double>::infinity(), 5), 0);
  EXPECT_GT(StudentTwoSided(60, 100), 0);
  EXPECT_LT(StudentTwoSided(60, 100), 1e-70);
}

TEST(BinomialTail, CountsTheWaysToHitAtLeastThatOften) {
  EXPECT_DOUBLE_EQ(BinomialTail(0, 5, 0.3), 1);
  EXPECT_NEAR(BinomialTail(2, 3, 0.5), 0.5, 1e-12);
  EXPECT_NEAR(BinomialTail(2, 3, 0.01), 3 * 1e-4 * 0.99 + 1e-6, 1e-12);
  EXPECT_EQ(BinomialTail(4, 3, 0.5), 0);
}

}  // namespace
}  // namespace tacho::detect
