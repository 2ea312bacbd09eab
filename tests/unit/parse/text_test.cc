// Numbers, words and lines: what the parsers are built on.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "collector/parse/line_splitter.h"
#include "collector/parse/numbers.h"
#include "collector/parse/words.h"

namespace tacho {
namespace {

TEST(NumbersTest, WholeNumberIsTheWholeText) {
  EXPECT_EQ(WholeNumber("-392"), -392);
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "1k", "0x1", "99999999999999999999"}) {
    EXPECT_EQ(WholeNumber(text), std::nullopt) << text;
  }
}

TEST(NumbersTest, ThousandthsKeepThreeDecimals) {
  EXPECT_EQ(Thousandths("43.406"), 43'406);
  EXPECT_EQ(Thousandths("40"), 40'000);
  EXPECT_EQ(Thousandths("-0.5"), -500);
  EXPECT_EQ(Thousandths("9.81259"), 9'812);
  for (const char* text : {"", "-", ".5", "5.", "1.2.3", "1e3", "nan", "9999999999999"}) {
    EXPECT_EQ(Thousandths(text), std::nullopt) << text;
  }
}

TEST(WordsTest, LastWordCountsOnlyWithSomethingBehindIt) {
  Words whole("  a \t b\r\n");
  EXPECT_EQ(whole.word(), "a");
  EXPECT_EQ(whole.Ahead(), "b");
  whole.Next();
  whole.Next();
  EXPECT_TRUE(whole.at_end());
  EXPECT_FALSE(whole.was_cut());

  Words cut("a b");
  EXPECT_EQ(cut.word(), "a");
  EXPECT_EQ(cut.Ahead(), "");
  EXPECT_TRUE(cut.was_cut());
}

class LineSplitterTest : public ::testing::Test {
 protected:
  void Push(std::string_view bytes) {
    splitter_.Push(bytes, [this](std::string_view line) { lines_.emplace_back(line); });
  }
  void End() {
    splitter_.End([this](std::string_view line) { lines_.emplace_back(line); });
  }
  LineSplitter splitter_;
  std::vector<std::string> lines_;
};

TEST_F(LineSplitterTest, LinesComeWholeHoweverTheBytesCome) {
  for (const char c : std::string("one\ntwo\n\nthr")) {
    Push({&c, 1});
  }
  End();
  EXPECT_EQ(lines_, (std::vector<std::string>{"one\n", "two\n", "\n", "thr"}));
}

TEST_F(LineSplitterTest, LongestLineIsKeptAndALongerOneSkippedToItsEnd) {
  const std::string longest(LineSplitter::kLongestLine, 'x');
  Push(longest + "\n" + longest + "y\nshort\n");
  EXPECT_EQ(lines_, (std::vector<std::string>{longest + "\n", "short\n"}));
  EXPECT_EQ(splitter_.too_long(), 1u);
}

TEST_F(LineSplitterTest, LongLineThatNeverEndsIsCountedOnce) {
  for (int i = 0; i < 100; ++i) {
    Push(std::string(1000, 'x'));
  }
  End();
  EXPECT_TRUE(lines_.empty());
  EXPECT_EQ(splitter_.too_long(), 1u);
}

}  // namespace
}  // namespace tacho
