// A page in each form: aligned, narrow, coloured, separated, escaped.
#include "cli/render.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

#include "cli/text.h"
#include "cli/values.h"

namespace tacho {
namespace {

AnswerPage TwoColumns(std::vector<std::vector<TableCell>> rows) {
  AnswerPage page;
  Section& section = page.sections.emplace_back();
  section.table.columns = {{.name = "robot"}, {.name = "detail", .rank = 1, .is_elastic = true}};
  section.table.rows = std::move(rows);
  section.if_empty = "No robot.";
  return page;
}

int Widest(const std::string& text) {
  std::istringstream lines(text);
  int widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, ColumnsOf(line));
  }
  return widest;
}

TEST(Render, EscapesHostileNamesInEveryForm) {
  const std::string hostile = "rb\x1b[2J\u009b31m\n\t\u202e";
  AnswerPage page = TwoColumns({{TextCell(hostile), TextCell("x")}});
  page.headline = page.coverage = hostile;
  page.warnings = page.next = page.sections[0].lines = {hostile};
  page.sections[0].title = hostile;
  page.json = Json::Array{Json::Object{{"robot", hostile}}};
  for (const Format format :
       {Format::kTable, Format::kTsv, Format::kCsv, Format::kJson, Format::kJsonLines}) {
    const Rendered rendered = Render(page, {.format = format, .width = 80});
    const std::string all = rendered.out + rendered.notes;
    EXPECT_EQ(all.find('\x1b'), std::string::npos);
    EXPECT_EQ(all.find("\u009b"), std::string::npos);
    EXPECT_EQ(all.find("\u202e"), std::string::npos);
  }
  EXPECT_EQ(Render(page, {.format = Format::kTsv}).out, "rb\\x1b[2J\\u009b31m\\n\\t\\u202e\tx\n");
}

TEST(Render, FitsEveryWidthThatATerminalMayHave) {
  const AnswerPage page = TwoColumns({{TextCell("rb12"), TextCell(std::string(300, 'x'))},
                                      {TextCell("rb13"), TextCell("夜勤夜勤夜勤夜勤夜勤夜勤")}});
  for (int width = 20; width <= 400; ++width) {
    EXPECT_LE(Widest(Render(page, {.width = width}).out), std::max(width, 42)) << width;
  }
}

TEST(Render, ClipsAHugeNameOnATerminalAndNotInAPipe) {
  const AnswerPage page = TwoColumns({{TextCell(std::string(10'000, 'n')), TextCell("x")}});
  EXPECT_LE(Widest(Render(page, {.width = 80}).out), 80);
  EXPECT_EQ(Render(page, {.format = Format::kTsv}).out.size(), 10'003U);
}

TEST(Render, NeverClipsANumber) {
  AnswerPage page;
  Section& section = page.sections.emplace_back();
  section.table.columns = {{.name = "n", .is_right = true}};
  section.table.rows = {{TextCell(std::string(90, '7'))}};
  EXPECT_NE(Render(page, {.width = 20}).out.find(std::string(90, '7')), std::string::npos);
}

TEST(Render, SaysWhichColumnsFoundNoRoom) {
  const AnswerPage page = TwoColumns({{TextCell("a-robot-with-a-name"), TextCell("some detail")}});
  EXPECT_NE(Render(page, {.width = 20}).out.find("no room for: DETAIL"), std::string::npos);
}

TEST(Render, SaysInWordsThatATableIsEmptyAndPrintsNothingInAPipe) {
  AnswerPage page = TwoColumns({});
  page.json = Json::Array{};
  EXPECT_EQ(Render(page, {.width = 80}).out, "No robot.\n");
  EXPECT_EQ(Render(page, {.format = Format::kTsv}).out, "");
  EXPECT_EQ(Render(page, {.format = Format::kCsv}).out, "robot,detail\n");
  EXPECT_EQ(Render(page, {.format = Format::kJson}).out, "[]\n");
  EXPECT_EQ(Render(page, {.format = Format::kJsonLines}).out, "");
}

TEST(Render, PaintsOnlyWhereColoursAreWanted) {
  const AnswerPage page = TwoColumns({{TextCell("rb12", Tone::kBad), TextCell("x")}});
  EXPECT_NE(Render(page, {.width = 80, .use_colour = true}).out.find("\x1b[1;31mrb12\x1b[0m"),
            std::string::npos);
  EXPECT_EQ(Render(page, {.width = 80}).out.find('\x1b'), std::string::npos);
}

TEST(Render, EndsNoLineInBlanks) {
  const AnswerPage page =
      TwoColumns({{TextCell("rb12"), TextCell("x")}, {TextCell("r"), TextCell("y")}});
  EXPECT_EQ(Render(page, {.width = 80}).out.find(" \n"), std::string::npos);
}

TEST(Render, QuotesCsvAndLeavesAbsentFieldsEmpty) {
  const AnswerPage page = TwoColumns({{TextCell("a,\"b\""), Absent()}});
  EXPECT_EQ(Render(page, {.format = Format::kCsv}).out, "robot,detail\n\"a,\"\"b\"\"\",\n");
}

TEST(Render, NamesTheTableInEachRowWhereAPageHasSeveral) {
  AnswerPage page = TwoColumns({{TextCell("a"), TextCell("b")}});
  page.sections[0].tag = "first";
  page.sections.push_back(page.sections[0]);
  page.sections[1].tag = "second";
  EXPECT_EQ(Render(page, {.format = Format::kTsv}).out, "first\ta\tb\nsecond\ta\tb\n");
}

TEST(Render, KeepsWhatDataCannotSayForStderr) {
  AnswerPage page = TwoColumns({{TextCell("a"), TextCell("b")}});
  page.headline = "FAIL";
  page.warnings = {"careful"};
  page.notes = {"c: no value"};
  page.coverage = "1 of 2";
  EXPECT_EQ(Render(page, {.format = Format::kTsv}).notes,
            "FAIL\nc: no value\nwarning: careful\ncoverage: 1 of 2\n");
  EXPECT_EQ(Render(page, {.format = Format::kJson}).notes, "FAIL\nc: no value\nwarning: careful\n");
  EXPECT_EQ(Render(page, {.width = 80}).notes, "");
}

TEST(Render, SaysOnStderrWhyItPrintsNothing) {
  AnswerPage page = TwoColumns({});
  for (const Format format : {Format::kTsv, Format::kCsv, Format::kJson, Format::kJsonLines}) {
    EXPECT_EQ(Render(page, {.format = format}).notes, "No robot.\n");
  }
  page.sections[0].tag = "first";
  page.sections.push_back(page.sections[0]);
  EXPECT_EQ(Render(page, {.format = Format::kTsv}).notes, "first: No robot.\nfirst: No robot.\n");
  EXPECT_EQ(Render(page, {.format = Format::kJson}).notes, "");
}

TEST(Render, ShowsTheFirstRowsOfALongTableAmongOthers) {
  AnswerPage page =
      TwoColumns(std::vector<std::vector<TableCell>>(100, {TextCell("a"), TextCell("b")}));
  page.sections[0].most_shown = 3;
  const std::string text = Render(page, {.width = 80}).out;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  EXPECT_NE(text.find("and 97 more; -o tsv has them"), std::string::npos);
  const std::string rows = Render(page, {.format = Format::kTsv}).out;
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 100);
}

TEST(Render, PrintsEveryRowOfAHugeTable) {
  const AnswerPage page =
      TwoColumns(std::vector<std::vector<TableCell>>(100'000, {TextCell("rb12"), TextCell("b")}));
  const std::string text = Render(page, {.width = 80}).out;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100'001);
}

TEST(Render, KeepsToAsciiWhereTheTerminalKnowsNothingElse) {
  const AnswerPage page = TwoColumns({{TextCell("rübe"), TextCell(std::string(100, 'x'))}});
  const std::string text = Render(page, {.width = 40, .use_unicode = false}).out;
  EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
}

}  // namespace
}  // namespace tacho
