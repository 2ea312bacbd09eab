// Points in time as people type them.
#include "cli/when.h"

#include <gtest/gtest.h>

#include "cli/values.h"

namespace tacho {
namespace {

// 2026-11-28T12:00:00Z
const WallTime kNow = WallTimeOf(1795867200'000'000'000);

struct WhenCase {
  const char* text;
  const char* iso;
};

TEST(ParseWhen, ReadsTheFormsPeopleType) {
  const WhenCase cases[] = {
      {"now", "2026-11-28T12:00:00Z"},
      {"45s", "2026-11-28T11:59:15Z"},
      {"90m", "2026-11-28T10:30:00Z"},
      {"2h", "2026-11-28T10:00:00Z"},
      {"3d", "2026-11-25T12:00:00Z"},
      {"today", "2026-11-28T00:00:00Z"},
      {"yesterday", "2026-11-27T00:00:00Z"},
      {"2026-11-28", "2026-11-28T00:00:00Z"},
      {"2024-02-29", "2024-02-29T00:00:00Z"},
      {"2026-11-28T10:00Z", "2026-11-28T10:00:00Z"},
      {"2026-11-28T10:00", "2026-11-28T10:00:00Z"},
      {"2026-11-28 10:00", "2026-11-28T10:00:00Z"},
      {"2026-11-28T10:00:05", "2026-11-28T10:00:05Z"},
      {"2026-11-28T10:00:05.25Z", "2026-11-28T10:00:05.25Z"},
      {"2026-11-28T10:00:05.123456789Z", "2026-11-28T10:00:05.123456789Z"},
      {"2026-11-28T10:00+02:00", "2026-11-28T08:00:00Z"},
      {"2026-11-28T10:00-0530", "2026-11-28T15:30:00Z"},
      {"1970-01-01", "1970-01-01T00:00:00Z"},
  };
  for (const auto& [text, iso] : cases) {
    const auto when = ParseWhen(text, kNow);
    ASSERT_TRUE(when.ok()) << text;
    EXPECT_EQ(FormatIso(*when), iso) << text;
  }
}

TEST(ParseWhen, RefusesWhatIsNoTime) {
  for (const char* text : {"",
                           "2",
                           "h",
                           "-2h",
                           "2x",
                           "tomorrow",
                           "2026",
                           "2026-13-01",
                           "2026-02-30",
                           "2023-02-29",
                           "2026-11-28T",
                           "2026-11-28T24:00",
                           "2026-11-28T10",
                           "2026-11-28T10:60",
                           "2026-11-28T10:00:60",
                           "2026-11-28T10:00:05.",
                           "2026-11-28T10:00:05.x",
                           "2026-11-28T10:00+15:00",
                           "2026-11-28T10:00Z extra",
                           "2026-11-28Z",
                           "9999-01-01",
                           "99999999d",
                           "2026-1-1",
                           "2026-11-28T10:00:05.123z"}) {
    const auto when = ParseWhen(text, kNow);
    ASSERT_FALSE(when.ok()) << text;
    EXPECT_EQ(when.error()->code(), Code::kInvalid) << text;
  }
}

TEST(ParseWindow, LeavesOpenWhatIsNotGiven) {
  auto window = ParseWindow(CommandArguments(), kNow);
  ASSERT_TRUE(window.ok());
  EXPECT_EQ(window->Describe(), "of all time");
  Json question;
  window->AddTo(question);
  EXPECT_TRUE(question.members().empty());
}

TEST(ParseWindow, AsksForBothEnds) {
  CommandArguments arguments;
  arguments.Add("since", "2h");
  arguments.Add("until", "1h");
  auto window = ParseWindow(arguments, kNow);
  ASSERT_TRUE(window.ok());
  EXPECT_EQ(window->Describe(), "since 2026-11-28 10:00:00 until 2026-11-28 11:00:00 UTC");
  Json question;
  window->AddTo(question);
  EXPECT_EQ(question["since_wall_ns"].AsInt(), Count(kNow) - 7'200'000'000'000);
  EXPECT_EQ(question["until_wall_ns"].AsInt(), Count(kNow) - 3'600'000'000'000);
}

TEST(ParseWindow, RefusesAnEmptyOneAndSaysWhatADateMeans) {
  CommandArguments arguments;
  arguments.Add("since", "2026-11-27");
  arguments.Add("until", "2026-11-27");
  const auto window = ParseWindow(arguments, kNow);
  ASSERT_FALSE(window.ok());
  EXPECT_NE(window.error()->message().find("first instant"), std::string::npos);
}

TEST(ParseWindow, NamesTheOptionThatIsWrong) {
  CommandArguments arguments;
  arguments.Add("until", "soon");
  const auto window = ParseWindow(arguments, kNow);
  ASSERT_FALSE(window.ok());
  EXPECT_EQ(window.error()->message().substr(0, 8), "--until:");
}

}  // namespace
}  // namespace tacho
