// What must hold for every history, whatever is in it.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "server/detect/history.h"
#include "tests/support/made_series.h"

namespace tacho::detect {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// A history of many kinds by its seed: steps, ramps, spikes, wider noise, correlation.
std::vector<double> AnyHistory(std::uint64_t seed) {
  Draw draw(seed);
  const std::size_t nights = 30 + draw.Index(170);
  std::vector<double> values = MadeNoise(draw, nights, draw.Index(2) == 0 ? 0 : 0.5);
  const std::size_t steps = draw.Index(4);
  for (std::size_t i = 0; i < steps; ++i) {
    values = WithStep(std::move(values), draw.Index(nights), draw.Between(-6, 6));
  }
  if (draw.Index(3) == 0) values = WithRamp(std::move(values), draw.Index(nights / 2), nights, 6);
  if (draw.Index(3) == 0) values = WithSpikes(draw, std::move(values), 0.04);
  // A grid of 2^-20: sums, doubling and whole offsets are exact, so results can be compared bit by
  // bit.
  for (double& value : values)
    value = 64 + std::round(value * 0x1p20) * 0x1p-20;
  return values;
}

class HistoryProperty : public testing::TestWithParam<std::uint64_t> {};

TEST_P(HistoryProperty, SameInputGivesTheSameBytes) {
  const std::vector<double> values = AnyHistory(GetParam());
  EXPECT_EQ(DetectHistory(values), DetectHistory(values));
}

TEST_P(HistoryProperty, DoublingEveryValueChangesNoVerdict) {
  const std::vector<double> values = AnyHistory(GetParam());
  HistoryOptions options;
  options.least_relative = 0.02;
  const History once = DetectHistory(values, options);
  const History twice = DetectHistory(Scaled(values, 2), options);
  ASSERT_EQ(once.changes.size(), twice.changes.size());
  for (std::size_t i = 0; i < once.changes.size(); ++i) {
    EXPECT_EQ(once.changes[i].first, twice.changes[i].first);
    EXPECT_EQ(once.changes[i].verdict, twice.changes[i].verdict);
    EXPECT_EQ(once.changes[i].relative, twice.changes[i].relative);
    EXPECT_EQ(once.changes[i].effect, twice.changes[i].effect);
    EXPECT_EQ(2 * once.changes[i].after, twice.changes[i].after);
  }
  EXPECT_EQ(once.drifts.size(), twice.drifts.size());
  EXPECT_EQ(once.blips.size(), twice.blips.size());
  EXPECT_EQ(once.spreads.size(), twice.spreads.size());
}

TEST_P(HistoryProperty, AddingAConstantMovesNoBoundary) {
  const std::vector<double> values = AnyHistory(GetParam());
  const History here = DetectHistory(values);
  const History there = DetectHistory(Scaled(values, 1, 1024));
  EXPECT_EQ(FirstIndices(here), FirstIndices(there));
  ASSERT_EQ(here.segments.size(), there.segments.size());
  for (std::size_t i = 0; i < here.segments.size(); ++i) {
    EXPECT_EQ(here.segments[i].first, there.segments[i].first);
  }
}

TEST_P(HistoryProperty, TurningItUpsideDownMovesNoBoundary) {
  const std::vector<double> values = AnyHistory(GetParam());
  EXPECT_EQ(FirstIndices(DetectHistory(values)), FirstIndices(DetectHistory(Scaled(values, -1))));
}

TEST_P(HistoryProperty, MissingNightsChangeNothingElsewhere) {
  const std::vector<double> values = AnyHistory(GetParam());
  Draw draw(GetParam() + 1000);
  std::vector<double> holes;
  std::vector<std::size_t> place(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    while (draw.Index(4) == 0)
      holes.push_back(kMissing);
    place[i] = holes.size();
    holes.push_back(values[i]);
  }
  const History whole = DetectHistory(values);
  const History holed = DetectHistory(holes);
  EXPECT_EQ(holed.nights, whole.nights);
  ASSERT_EQ(holed.changes.size(), whole.changes.size());
  for (std::size_t i = 0; i < whole.changes.size(); ++i) {
    Change expected = whole.changes[i];
    expected.first = place[expected.first];
    expected.earliest = place[expected.earliest];
    expected.latest = place[expected.latest];
    if (expected.went_away_at) expected.went_away_at = place[*expected.went_away_at];
    EXPECT_EQ(holed.changes[i], expected);
  }
  ASSERT_EQ(holed.blips.size(), whole.blips.size());
  for (std::size_t i = 0; i < whole.blips.size(); ++i) {
    EXPECT_EQ(holed.blips[i].first, place[whole.blips[i].first]);
    EXPECT_EQ(holed.blips[i].value, whole.blips[i].value);
  }
  EXPECT_EQ(holed.drifts.size(), whole.drifts.size());
  EXPECT_EQ(holed.sigma, whole.sigma);
}

TEST_P(HistoryProperty, SegmentsCoverEveryNightInOrder) {
  const std::vector<double> values = AnyHistory(GetParam());
  const History history = DetectHistory(values);
  std::size_t next = 0;
  for (const Segment& segment : history.segments) {
    EXPECT_EQ(segment.first, next);
    EXPECT_GE(segment.nights, 3u);
    next = segment.end;
  }
  EXPECT_EQ(next, values.size());
  for (const Change& change : history.changes) {
    EXPECT_LE(change.earliest, change.first);
    EXPECT_GE(change.latest, change.first);
    EXPECT_GE(change.p, 0);
    EXPECT_LE(change.p, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, HistoryProperty, testing::Range<std::uint64_t>(0, 60));

TEST(HistoryProperty, ReadBackwardsTheStepsAreTheSame) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Draw draw(seed);
    std::vector<double> values =
        WithStep(WithStep(MadeNoise(draw, 120), 40, 5), 80, draw.Index(2) == 0 ? 5 : -9);
    // Neither end holds an outlier: the newest nights are cleaned in another way than the oldest.
    for (double& value : values)
      value = std::round(value * 0x1p20) * 0x1p-20;
    std::vector<std::size_t> forwards = FirstIndices(DetectHistory(values));
    std::reverse(values.begin(), values.end());
    std::vector<std::size_t> backwards = FirstIndices(DetectHistory(values));
    for (std::size_t& first : backwards)
      first = values.size() - first;
    std::reverse(backwards.begin(), backwards.end());
    EXPECT_EQ(forwards, backwards) << "seed " << seed;
  }
}

// A real history has steps; shuffled, it has none left to find.
TEST(HistoryProperty, ShuffledHistoryGivesNoFindingAtTheStatedRate) {
  int alarms = 0;
  constexpr int kHistories = 500;
  for (std::uint64_t seed = 0; seed < kHistories; ++seed) {
    std::vector<double> values = AnyHistory(5000 + seed);
    Draw draw(seed);
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[draw.Index(i)]);
    const History history = DetectHistory(values);
    if (!history.changes.empty() || !history.drifts.empty()) ++alarms;
  }
  EXPECT_LE(alarms, kHistories * 2 / 100);
}

}  // namespace
}  // namespace tacho::detect
