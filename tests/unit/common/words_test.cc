// Small words of the house: boot ids, units, varints, log lines, temporary folders, the real clock.
#include <fstream>
#include <gtest/gtest.h>
#include <limits>

#include "common/bytes.h"
#include "common/ids.h"
#include "common/log.h"
#include "common/metric.h"
#include "common/posix_clock.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

constexpr std::string_view kBootText = "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9";

TEST(BootIdTest, KernelsFormSurvives) {
  const auto id = BootId::Parse(std::string(kBootText) + "\n");
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->ToString(), kBootText);
}

TEST(BootIdTest, FormWithoutDashesIsTheSame) {
  EXPECT_EQ(BootId::Parse("0B1C2D3E4F5046178293A4B5C6D7E8F9"), BootId::Parse(kBootText));
}

TEST(BootIdTest, WhatIsNoneIsRefused) {
  for (const std::string_view text :
       {"", "\n", "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f", "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8fg",
        "0b1c2d3e4-f50-4617-8293-a4b5c6d7e8f9", "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9\n\n"}) {
    EXPECT_EQ(BootId::Parse(text), std::nullopt) << text;
  }
}

TEST(UnitTest, EverySymbolIsParsedBack) {
  for (int i = 0; i <= static_cast<int>(Unit::kJoules); ++i) {
    const auto unit = static_cast<Unit>(i);
    Unit parsed{};
    ASSERT_TRUE(ParseUnit(SymbolOf(unit), parsed));
    EXPECT_EQ(SymbolOf(parsed), SymbolOf(unit));
  }
  Unit unit{};
  EXPECT_FALSE(ParseUnit("parsec", unit));
}

TEST(WhyTest, EveryReasonHasItsOwnName) {
  EXPECT_EQ(NameOf(Why::kGated), "gated");
  EXPECT_EQ(NameOf(Why::kMissing), "missing");
  EXPECT_EQ(NameOf(static_cast<Why>(99)), "unknown");
}

TEST(BytesTest, ZigZagKeepsExtremes) {
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                                   std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(UnZigZag(ZigZag(value)), value);
  }
}

TEST(BytesTest, VarintOfMoreThan64BitsIsRefused) {
  Bytes bytes(9, std::byte{0xFF});
  bytes.push_back(std::byte{0x02});
  ByteReader reader(bytes);
  EXPECT_EQ(reader.Varint(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.U8(), 0u);
}

TEST(BytesTest, ReaderStaysBrokenAfterTheFirstReadPastTheEnd) {
  const Bytes bytes(3, std::byte{1});
  ByteReader reader(bytes);
  EXPECT_EQ(reader.U32(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.offset(), 0u);
  EXPECT_EQ(reader.U8(), 0u);
  EXPECT_EQ(reader.Varint(), 0u);
  EXPECT_EQ(reader.Text(10), "");
}

TEST(BytesTest, TextPastItsLimitIsRefused) {
  Bytes bytes;
  ByteWriter(bytes).Text("four");
  ByteReader within(bytes);
  EXPECT_EQ(within.Text(4), "four");
  ByteReader past(bytes);
  EXPECT_EQ(past.Text(3), "");
  EXPECT_FALSE(past.ok());
}

TEST(LogTest, LineHasLevelSentenceAndFields) {
  EXPECT_EQ(LogLine(LogLevel::kWarning, "The disk is full.", {{"path", "/x"}, {"left", "0 B"}}),
            "warning: The disk is full. path=/x left=\"0 B\"");
}

TEST(LogTest, LineBreaksStayWithinTheLine) {
  EXPECT_EQ(LogLine(LogLevel::kError, "a\nb", {{"k", ""}}), "error: a b k=\"\"");
}

TEST(PosixClockTest, PairLiesBetweenTwoReadsOfTheBootClock) {
  const PosixClock clock;
  const BootTime before = clock.Boot();
  const ClockPair pair = clock.Pair();
  EXPECT_LE(before, pair.boot);
  EXPECT_LE(pair.boot, clock.Boot());
}

TEST(TempFolderTest, FolderEndsWithItsContents) {
  std::filesystem::path path;
  {
    const TempFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "x";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace tacho
