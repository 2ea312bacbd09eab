// Text from elsewhere: escaped, measured, clipped, quoted.
#include "cli/text.h"

#include <gtest/gtest.h>
#include <string>

#include "common/json.h"

namespace tacho {
namespace {

TEST(Printable, LeavesWordsOfAnyScriptAlone) {
  EXPECT_EQ(Printable("rübe-7 夜 🤖 naïve"), "rübe-7 夜 🤖 naïve");
}

TEST(Printable, SpellsOutWhatMovesACursor) {
  EXPECT_EQ(Printable("\x1b[2J\x1b]0;owned\x07"), "\\x1b[2J\\x1b]0;owned\\x07");
  EXPECT_EQ(Printable("a\rb\nc\td"), "a\\rb\\nc\\td");
  EXPECT_EQ(Printable("\x7f"), "\\x7f");
  EXPECT_EQ(Printable("\u009b2J"), "\\u009b2J");  // CSI as one character
}

TEST(Printable, SpellsOutWhatHidesOrReordersText) {
  EXPECT_EQ(Printable("a\u202eb"), "a\\u202eb");
  EXPECT_EQ(Printable("a\u200bb"), "a\\u200bb");
  EXPECT_EQ(Printable("a\U000E0041b"), "a\\U000e0041b");
}

TEST(Printable, SpellsOutBytesThatAreNoText) {
  EXPECT_EQ(Printable("a\xff\xfe!"), "a\\xff\\xfe!");
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(Printable("\xe2\x82"), "\\xe2\\x82");           // cut off
}

TEST(Printable, KeepsAZeroByteFromEndingTheText) {
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, SpellsOutOtherScriptsForATerminalThatKnowsOnlyAscii) {
  EXPECT_EQ(Printable("rübe 🤖", Charset::kAscii), "r\\u00fcbe \\U0001f916");
}

TEST(PrintableJson, EscapesWhatJsonLetsThroughAndKeepsTheValue) {
  const Json hostile = Json::Object{{"name",
                                     "a\u009bb\u202ec\x7f"
                                     "d\U000E0041 ü\x1b"}};
  const std::string safe = PrintableJson(hostile.Dump(2));
  EXPECT_EQ(safe.find("\u009b"), std::string::npos);
  EXPECT_EQ(safe.find("\u202e"), std::string::npos);
  EXPECT_EQ(safe.find('\x7f'), std::string::npos);
  EXPECT_EQ(safe.find('\x1b'), std::string::npos);
  auto back = Json::Parse(safe);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, hostile);
}

TEST(ColumnsOf, CountsWhatATerminalDraws) {
  EXPECT_EQ(ColumnsOf("abc"), 3);
  EXPECT_EQ(ColumnsOf("rübe"), 4);
  EXPECT_EQ(ColumnsOf("夜勤"), 4);
  EXPECT_EQ(ColumnsOf("🤖"), 2);
  EXPECT_EQ(ColumnsOf("e\u0301"), 1);  // e and a combining accent
}

TEST(Clip, MarksWhatItCutOff) {
  EXPECT_EQ(Clip("thermal_zone", 12), "thermal_zone");
  EXPECT_EQ(Clip("thermal_zone", 8), "thermal…");
  EXPECT_EQ(Clip("thermal_zone", 8, Charset::kAscii), "thermal>");
  EXPECT_EQ(Clip("夜勤表", 4), "夜…");  // never half a character
  EXPECT_EQ(Clip("ab", 1), "…");
  EXPECT_EQ(Clip("ab", 0), "");
}

TEST(ShellWord, QuotesWhatAShellWouldActOn) {
  EXPECT_EQ(ShellWord("rb12/118/4"), "rb12/118/4");
  EXPECT_EQ(ShellWord("rb12@latest"), "rb12@latest");
  EXPECT_EQ(ShellWord("rb1;rm -rf ~"), "'rb1;rm -rf ~'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
}

}  // namespace
}  // namespace tacho
