// False-discovery control.
#include "server/detect/false_discovery.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/support/made_series.h"

namespace tacho::detect {
namespace {

constexpr double kNotTested = std::numeric_limits<double>::quiet_NaN();

std::size_t Reported(const std::vector<bool>& report) {
  return static_cast<std::size_t>(std::count(report.begin(), report.end(), true));
}

// The fifteen p values of the example in Benjamini and Hochberg's paper of 1995.
const std::vector<double> kPaper{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};

TEST(FalseDiscovery, RepeatsTheExampleOfThePaper) {
  EXPECT_EQ(Reported(ReportAt(0.05, kPaper)), 4u);
  EXPECT_EQ(Reported(ReportAt(0.05, kPaper, Dependence::kAny)), 3u);
}

TEST(FalseDiscovery, AdjustedValuesNeverFallWithP) {
  const std::vector<double> adjusted = AdjustForMany(kPaper);
  EXPECT_TRUE(std::is_sorted(adjusted.begin(), adjusted.end()));
  EXPECT_NEAR(adjusted[0], 0.0015, 1e-12);
  EXPECT_EQ(adjusted.back(), 1);
}

TEST(FalseDiscovery, WhatWasNotTestedCountsForNothing) {
  const std::vector<double> p{0.04, kNotTested, kNotTested};
  const std::vector<double> adjusted = AdjustForMany(p);
  EXPECT_EQ(adjusted[0], 0.04);
  EXPECT_TRUE(std::isnan(adjusted[1]));
  EXPECT_EQ(ReportAt(0.05, p), (std::vector<bool>{true, false, false}));
  EXPECT_TRUE(ReportAt(0.05, {}).empty());
}

TEST(FalseDiscovery, DoesNotDependOnTheOrderOfTheSeries) {
  std::vector<double> p = kPaper;
  std::reverse(p.begin(), p.end());
  std::vector<bool> report = ReportAt(0.05, p);
  std::reverse(report.begin(), report.end());
  EXPECT_EQ(report, ReportAt(0.05, kPaper));
}

TEST(FalseDiscovery, AQuietCrowdDoesNotHideTheFindingOfASmallGroup) {
  std::vector<double> p(1000, 0.5);
  std::vector<std::size_t> group(1000, 1);
  p.push_back(0.001);
  group.push_back(2);
  EXPECT_EQ(Reported(ReportAt(0.05, p)), 0u);
  const std::vector<bool> report = ReportInGroups(0.05, p, group);
  EXPECT_EQ(Reported(report), 1u);
  EXPECT_TRUE(report.back());
}

TEST(FalseDiscovery, HoldsTheRateOverManySeries) {
  Draw draw(15);
  double share = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> p(200);
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = i < 20 ? draw.Uniform() * 1e-3 : draw.Uniform();
    const std::vector<bool> report = ReportAt(0.1, p);
    const auto wrong = static_cast<double>(std::count(report.begin() + 20, report.end(), true));
    share += wrong / std::max(1.0, static_cast<double>(Reported(report))) / kRounds;
  }
  EXPECT_LT(share, 0.1);
  EXPECT_GT(share, 0.05);
}

}  // namespace
}  // namespace tacho::detect
