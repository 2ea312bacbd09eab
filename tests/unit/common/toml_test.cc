// Configuration: values with their lines, and mistakes said all at once.
#include "common/toml.h"

#include <gtest/gtest.h>

using namespace std::chrono_literals;

namespace tacho {
namespace {

TomlTable Parsed(std::string_view text) {
  auto table = ParseToml(text, "t.toml");
  if (!table.ok()) {
    ADD_FAILURE() << table.error()->message();
    return {};
  }
  return *std::move(table);
}

// Lets `read` read the text and returns what was complained of.
template <class F>
std::vector<std::string> ComplaintsOf(std::string_view text, F read) {
  const TomlTable table = Parsed(text);
  TomlComplaints complaints;
  TomlReader reader(table, "t.toml", complaints);
  read(reader);
  reader.Finish();
  std::vector<std::string> lines;
  for (const auto& [line, complaint] : complaints)
    lines.push_back(complaint);
  return lines;
}

using Complaints = std::vector<std::string>;

TEST(TomlTest, ValuesOfEveryKindAreRead) {
  std::string text;
  bool flag = false;
  std::int64_t whole = 0;
  double real = 0;
  double from_whole = 0;
  Nanos period{};
  std::int64_t size = 0;
  std::vector<std::string> texts;
  const auto complaints = ComplaintsOf(
      R"(text = "x"
flag = true
whole = 7
real = 2.5
from_whole = 3
period = "250ms"
size = "64MiB"
texts = ["a", "b"]
)",
      [&](TomlReader& reader) {
        reader.Text("text", text);
        reader.Bool("flag", flag);
        reader.Int("whole", whole, 0, 10);
        reader.Number("real", real);
        reader.Number("from_whole", from_whole);
        reader.Duration("period", period, 1ms, 1s);
        reader.ByteSize("size", size, 0, 1 << 30);
        reader.Texts("texts", texts);
      });
  EXPECT_EQ(complaints, Complaints{});
  EXPECT_EQ(text, "x");
  EXPECT_TRUE(flag);
  EXPECT_EQ(whole, 7);
  EXPECT_EQ(real, 2.5);
  EXPECT_EQ(from_whole, 3);
  EXPECT_EQ(period, 250ms);
  EXPECT_EQ(size, 64 << 20);
  EXPECT_EQ(texts, (std::vector<std::string>{"a", "b"}));
}

TEST(TomlTest, AbsentKeyLeavesTheDefaultAlone) {
  std::string text = "default";
  Nanos period = 1s;
  EXPECT_EQ(ComplaintsOf("",
                         [&](TomlReader& reader) {
                           reader.Text("text", text);
                           reader.Duration("period", period, 1ms, 1h);
                         }),
            Complaints{});
  EXPECT_EQ(text, "default");
  EXPECT_EQ(period, 1s);
}

TEST(TomlTest, AllMistakesAreListedWithTheirLines) {
  std::int64_t whole = 5;
  std::string text = "kept";
  Nanos period = 1s;
  const auto complaints = ComplaintsOf(
      R"(whole = 11

text = 3
period = "2 weeks"
)",
      [&](TomlReader& reader) {
        reader.Int("whole", whole, 0, 10);
        reader.Text("text", text);
        reader.Duration("period", period, 1ms, 1h);
      });
  EXPECT_EQ(complaints,
            (Complaints{"t.toml:1: whole is 11, outside 0 to 10",
                        "t.toml:3: text must be a text in quotes",
                        "t.toml:4: period must be a duration such as \"250ms\", \"2s\", \"5m\", "
                        "\"1h\", \"7d\""}));
  EXPECT_EQ(whole, 5);
  EXPECT_EQ(text, "kept");
  EXPECT_EQ(period, 1s);
}

TEST(TomlTest, DurationAndSizeOutsideTheirRangeSayTheRange) {
  Nanos period{};
  std::int64_t size = 0;
  EXPECT_EQ(ComplaintsOf("period = \"2h\"\nsize = \"2GiB\"\n",
                         [&](TomlReader& reader) {
                           reader.Duration("period", period, 100ms, 1h);
                           reader.ByteSize("size", size, 1 << 20, 1 << 30);
                         }),
            (Complaints{"t.toml:1: period is 2h, outside 100ms to 1h",
                        "t.toml:2: size is outside 1MiB to 1GiB"}));
}

TEST(TomlTest, UnknownKeyNamesTheNearestKnownOne) {
  std::string text;
  const auto complaints = ComplaintsOf("\nintervall = 1\nzebra = 2\n", [&](TomlReader& reader) {
    reader.Text("interval", text);
    reader.Text("folder", text);
  });
  EXPECT_EQ(complaints, (Complaints{"t.toml:2: unknown key intervall; did you mean interval?",
                                    "t.toml:3: unknown key zebra"}));
}

TEST(TomlTest, TablesComeInOrderWithTheirLines) {
  std::vector<std::string> names;
  std::vector<int> lines;
  const auto complaints =
      ComplaintsOf("[[budget]]\nname = \"a\"\n[[budget]]\nname = \"b\"\n[[budget]]\nnam = \"c\"\n",
                   [&](TomlReader& reader) {
                     for (TomlReader& budget : reader.Tables("budget")) {
                       budget.Text("name", names.emplace_back());
                       lines.push_back(budget.LineOf("name"));
                       budget.Finish();
                     }
                   });
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", ""}));
  EXPECT_EQ(lines, (std::vector<int>{2, 4, 5}));
  EXPECT_EQ(complaints, (Complaints{"t.toml:6: unknown key nam; did you mean name?"}));
}

TEST(TomlTest, TableAndTextMapAreRead) {
  std::map<std::string, std::string> setup;
  std::string level;
  const auto complaints = ComplaintsOf(
      "[log]\nlevel = \"info\"\n[setup]\nmodel = \"Orin\"\nmode = 3\n", [&](TomlReader& reader) {
        if (auto log = reader.Table("log")) log->Text("level", level);
        EXPECT_FALSE(reader.Table("absent").has_value());
        reader.TextMap("setup", setup);
      });
  EXPECT_EQ(level, "info");
  EXPECT_EQ(setup, (std::map<std::string, std::string>{{"model", "Orin"}}));
  EXPECT_EQ(complaints, (Complaints{"t.toml:5: setup.mode must be a text in quotes"}));
}

TEST(TomlTest, TextThatIsNoTomlNamesItsLine) {
  auto table = ParseToml("a = 1\nb = \n", "t.toml");
  ASSERT_NE(table.error(), nullptr);
  EXPECT_EQ(table.error()->code(), Code::kInvalid);
  EXPECT_EQ(table.error()->message().substr(0, 10), "t.toml:2: ");
}

TEST(TomlTest, ControlCharacterInATableNameIsRefused) {
  auto table = ParseToml(std::string_view("a = 1\n[\0\0\tsetup]\n", 17), "t.toml");
  ASSERT_NE(table.error(), nullptr);
  EXPECT_EQ(table.error()->message().substr(0, 10), "t.toml:2: ");
}

TEST(TomlTest, LettersBeyondAsciiSurviveInTextsKeysAndComments) {
  const TomlTable table =
      Parsed("a = \"Größe ~7E\" # für\n\"µs ~\" = 'ß'\nc = \"\"\"é\\\n 水\"\"\"\n");
  EXPECT_EQ(std::get<std::string>(table.find("a")->second.value), "Größe ~7E");
  EXPECT_EQ(std::get<std::string>(table.find("µs ~")->second.value), "ß");
  EXPECT_EQ(std::get<std::string>(table.find("c")->second.value), "é水");
}

TEST(TomlTest, LettersBeyondAsciiElsewhereAreRefused) {
  for (const std::string_view text : {"größe = 3\n", "a = 5 µs\n", "a = 0o:'é'\n"}) {
    EXPECT_FALSE(ParseToml(text, "t.toml").ok()) << text;
  }
}

TEST(TomlTest, TextThatIsNotUtf8IsRefusedWithItsLine) {
  for (const std::string_view bad : {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                     "\xE0\x80\x80", "\x80", "\\u007E"}) {
    auto table = ParseToml("a = 1\nb = \"" + std::string(bad) + "\"\n", "t.toml");
    ASSERT_NE(table.error(), nullptr);
    EXPECT_EQ(table.error()->message(), "t.toml:2: this is not UTF-8, or writes '~' as an escape");
  }
}

TEST(TomlTest, KeySaidTwiceIsRefused) {
  EXPECT_FALSE(ParseToml("a = 1\na = 2\n", "t.toml").ok());
}

TEST(TomlTest, DateIsRefusedWithItsLine) {
  auto table = ParseToml("a = 1\nb = 2026-01-01\n", "t.toml");
  ASSERT_NE(table.error(), nullptr);
  EXPECT_EQ(table.error()->message(), "t.toml:2: dates and times are not used here; write a text");
}

TEST(TomlTest, NotFiniteNumberIsRefused) {
  double number = 1;
  EXPECT_EQ(
      ComplaintsOf("n = nan\n", [&](TomlReader& reader) { reader.Number("n", number); }).size(),
      1u);
  EXPECT_EQ(number, 1);
}

TEST(DurationTest, EveryUnitIsUnderstood) {
  EXPECT_EQ(ParseDuration("5ns"), 5ns);
  EXPECT_EQ(ParseDuration("5us"), 5us);
  EXPECT_EQ(ParseDuration("250ms"), 250ms);
  EXPECT_EQ(ParseDuration("2s"), 2s);
  EXPECT_EQ(ParseDuration("5m"), 5min);
  EXPECT_EQ(ParseDuration("1h"), 1h);
  EXPECT_EQ(ParseDuration("7d"), 7 * 24h);
}

TEST(DurationTest, WhatIsNoneIsRefused) {
  for (const std::string_view text : {"", "5", "s", "-5s", "5 s", "5sec", "1.5s", "+1s",
                                      "99999999999999999999s", "999999999999d"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

TEST(NearestWordTest, SlipsAreMeantAndOtherWordsAreNot) {
  const std::vector<std::string> known = {"interval", "folder", "at_most"};
  EXPECT_EQ(NearestWord("intreval", known), "interval");
  EXPECT_EQ(NearestWord("Folder", known), "folder");
  EXPECT_EQ(NearestWord("atmost", known), "at_most");
  EXPECT_EQ(NearestWord("period", known), std::nullopt);
  EXPECT_EQ(NearestWord("", {}), std::nullopt);
}

}  // namespace
}  // namespace tacho
