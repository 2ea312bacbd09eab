// What makes runs of a robot comparable.
#include "collector/setup.h"

#include <gtest/gtest.h>

#include "tests/unit/collector/boards.h"

namespace tacho {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(SetupTest, JetsonSaysWhatItIsAndHowItIsSet) {
  const Pairs expected = {
      {"fan_mode", "quiet"},      {"kernel", "5.15.148-tegra"},
      {"l4t", "R36.4.3"},         {"model", "NVIDIA Jetson AGX Orin Developer Kit"},
      {"power_mode", "MODE_50W"}, {"power_mode_id", "3"}};
  EXPECT_EQ(ReadSetup(FixtureBoard("orin-agx")), expected);
}

TEST(SetupTest, PcIsNamedByItsBios) {
  const Pairs expected = {{"kernel", "6.1.0-23-amd64"}, {"model", "Bench PC 4"}};
  EXPECT_EQ(ReadSetup(FixtureBoard("plain-linux")), expected);
}

TEST(SetupTest, ModeWithoutANameIsItsNumber) {
  BoardFolder board;
  board.With("var/lib/nvpmodel/status", "pmode:0007\n");
  const Pairs expected = {{"power_mode", "7"}, {"power_mode_id", "7"}};
  EXPECT_EQ(ReadSetup(board.root()), expected);
}

TEST(SetupTest, NothingIsKnownOfAnEmptyFolder) {
  EXPECT_TRUE(ReadSetup(SystemRoot{"/nonexistent"}).empty());
}

}  // namespace
}  // namespace tacho
