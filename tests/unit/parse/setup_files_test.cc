// What a robot is and how it is set up.
#include "collector/parse/setup_files.h"

#include <gtest/gtest.h>

namespace tacho {
namespace {

TEST(SetupFilesTest, ReleaseIsMajorAndRevision) {
  EXPECT_EQ(L4tRelease("# R36 (release), REVISION: 4.3, GCID: 1, BOARD: generic, EABI: aarch64\n"),
            "R36.4.3");
  EXPECT_EQ(L4tRelease("# R32 (release), REVISION: 7.1\nmore\n"), "R32.7.1");
  for (const char* text : {"", "#", "# R (release), REVISION: 4.3", "# R36 (release)", "Ubuntu"}) {
    EXPECT_EQ(L4tRelease(text), std::nullopt) << text;
  }
}

TEST(SetupFilesTest, PowerModeHasAnIdAndPerhapsAFanMode) {
  const auto mode = ParsePowerModeStatus("pmode:0002 fmode:quiet\n");
  ASSERT_TRUE(mode);
  EXPECT_EQ(mode->id, 2);
  EXPECT_EQ(mode->fan_mode, "quiet");
  EXPECT_EQ(ParsePowerModeStatus("pmode:0000")->fan_mode, "");
  for (const char* text : {"", "pmode:", "pmode:x", "pmode:-1", "pmode:99999", "fmode:quiet"}) {
    EXPECT_FALSE(ParsePowerModeStatus(text)) << text;
  }
}

TEST(SetupFilesTest, PowerModeIsNamedByItsId) {
  constexpr std::string_view kConf =
      "< PARAM TYPE=FILE NAME=CPU_ONLINE >\n"
      "< POWER_MODEL ID=0 NAME=MAXN >\nCPU_ONLINE CORE_0 1\n"
      "< POWER_MODEL ID=2 NAME=MODE_30W>\r\n";
  EXPECT_EQ(PowerModeName(kConf, 0), "MAXN");
  EXPECT_EQ(PowerModeName(kConf, 2), "MODE_30W");
  EXPECT_EQ(PowerModeName(kConf, 1), std::nullopt);
  EXPECT_EQ(PowerModeName("", 0), std::nullopt);
}

TEST(SetupFilesTest, FirstLineEndsAtNulOrNewline) {
  EXPECT_EQ(FirstLine(std::string_view("Board 7\0junk", 12)), "Board 7");
  EXPECT_EQ(FirstLine("  a b \r\nc\n"), "a b");
  EXPECT_EQ(FirstLine("\n"), "");
}

}  // namespace
}  // namespace tacho
