// A series drawn in text.
#include "cli/plot.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace tacho {
namespace {

const PlotLabels kLabels{.top = "9 W", .bottom = "0 W", .left = "0s", .right = "9s"};

std::vector<PlotPoint> Ramp() {
  std::vector<PlotPoint> points;
  for (int i = 0; i < 10; ++i) {
    points.push_back({static_cast<double>(i), static_cast<double>(i)});
  }
  return points;
}

TEST(Plot, DrawsARampFromCornerToCorner) {
  const auto lines = Plot(Ramp(), kLabels, {.width = 15, .rows = 5}, Charset::kAscii);
  const std::vector<std::string> expected = {
      "9 W |        **",  //
      "    |      **",    //
      "    |    **",      //
      "    |  **",        //
      "0 W |**",          //
      "     0s      9s",
  };
  EXPECT_EQ(lines, expected);
}

TEST(Plot, DrawsFourTimesTwoDotsACharacterInBraille) {
  const auto lines = Plot(Ramp(), kLabels, {.width = 15, .rows = 1}, Charset::kUnicode);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "9 W │⡀⡀⡀⠄⠄⠐⠐⠈⠈⠈");
}

TEST(Plot, KeepsAPeakThatIsOnePointAmongMany) {
  std::vector<PlotPoint> points(100'000);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].at = static_cast<double>(i);
  }
  points[50'000].value = 100;
  const auto lines = Plot(points, kLabels, {.width = 40, .rows = 4}, Charset::kAscii);
  EXPECT_NE(lines[0].find('*'), std::string::npos);
}

TEST(Plot, LeavesBlankWhereThereWasNoValue) {
  const std::vector<PlotPoint> points = {{0, 1}, {9, 1}};
  const auto lines = Plot(points, kLabels, {.width = 15, .rows = 1}, Charset::kAscii);
  EXPECT_EQ(lines[0], "9 W |*        *");
}

TEST(Plot, DrawsALevelInTheMiddle) {
  const std::vector<PlotPoint> points = {{0, 5}, {1, 5}};
  const auto lines = Plot(points, kLabels, {.width = 15, .rows = 3}, Charset::kAscii);
  EXPECT_NE(lines[1].find('*'), std::string::npos);
}

TEST(Plot, SkipsNumbersThatAreNone) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(Plot(std::vector<PlotPoint>{{0, kNan}, {1, kInfinity}}, kLabels, {}, Charset::kAscii)
                  .empty());
  EXPECT_TRUE(Plot({}, kLabels, {}, Charset::kAscii).empty());
}

TEST(Plot, HoldsForValuesAtBothEndsOfWhatANumberCanBe) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::vector<PlotPoint> points = {{-kMost, -kMost}, {kMost, kMost}};
  EXPECT_EQ(Plot(points, kLabels, {.width = 15, .rows = 2}, Charset::kAscii).size(), 3U);
}

TEST(Plot, HoldsOnATerminalTooNarrowForIt) {
  EXPECT_EQ(Plot(Ramp(), kLabels, {.width = 1, .rows = 0}, Charset::kUnicode).size(), 2U);
}

}  // namespace
}  // namespace tacho
