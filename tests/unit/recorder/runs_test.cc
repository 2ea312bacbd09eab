// Runs: every instant belongs to one, and a mission outlives the recorder's death.
#include "daemon/recorder/runs.h"

#include <gtest/gtest.h>
#include <string>

#include "common/dictionary.h"
#include "daemon/recorder/run_file.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

// "+1 idle" opened, "-1 idle (command)" closed.
std::string Text(const std::vector<RunChange>& changes) {
  std::string text;
  for (const RunChange& change : changes) {
    if (!text.empty()) text += ", ";
    const bool is_open = change.what == RunChange::What::kOpened;
    text += (is_open ? "+" : "-") + std::to_string(change.number) + " " + change.name;
    if (!is_open) text += " (" + change.reason + ")";
  }
  return text;
}

TEST(RunsTest, FirstRunOfABootIsIdleNumberOne) {
  Runs runs;
  EXPECT_EQ(Text(runs.Begin({}, true, {}, At(5))), "+1 idle");
  EXPECT_FALSE(runs.is_named());
}

TEST(RunsTest, StartAndStopLeaveNoInstantWithoutARun) {
  Runs runs;
  (void)runs.Begin({}, true, {}, At(5));  // ignored since it is tested above
  const auto started = runs.Start("mission", {{"k", "v"}}, At(10));
  EXPECT_EQ(Text(started), "-1 idle (next run), +2 mission");
  EXPECT_EQ(started[0].at, started[1].at);
  EXPECT_EQ(started[1].labels, (Labels{{"k", "v"}}));
  EXPECT_EQ(Text(runs.Start("other", {}, At(20))), "-2 mission (next run), +3 other");
  EXPECT_EQ(Text(runs.Stop(At(30))), "-3 other (command), +4 idle");
  EXPECT_EQ(Text(runs.End(At(40))), "-4 idle (stop)");
}

TEST(RunsTest, AfterACleanEndNumbersGoOnWithIdle) {
  Runs runs;
  const OpenRun left{.number = 7, .name = "mission", .at = At(5), .labels = {}};
  EXPECT_EQ(Text(runs.Begin(left, true, At(9), At(12))), "+8 idle");
}

TEST(RunsTest, MissionGoesOnUnderANewNumberAfterTheRecorderDied) {
  Runs runs;
  const OpenRun left{.number = 7, .name = "mission", .at = At(5), .labels = {{"k", "v"}}};
  const auto changes = runs.Begin(left, false, At(9), At(12));
  EXPECT_EQ(Text(changes), "-7 mission (unclean end), +8 mission");
  EXPECT_EQ(changes[0].at, At(9));
  EXPECT_EQ(changes[1].at, At(12));
  EXPECT_EQ(changes[1].labels, (Labels{{"k", "v"}, {"continues", "7"}}));
}

TEST(RunsTest, SecondDeathReplacesTheContinuesLabel) {
  Runs runs;
  const OpenRun left{.number = 8, .name = "mission", .at = At(5), .labels = {{"continues", "7"}}};
  EXPECT_EQ(runs.Begin(left, false, At(9), At(12))[1].labels, (Labels{{"continues", "8"}}));
}

TEST(RunsTest, RunThatWasLeftNeverEndsBeforeItBegan) {
  Runs runs;
  const OpenRun left{.number = 7, .name = "idle", .at = At(8), .labels = {}};
  const auto changes = runs.Begin(left, false, At(0), At(12));
  EXPECT_EQ(Text(changes), "-7 idle (unclean end), +8 idle");
  EXPECT_EQ(changes[0].at, At(8));
}

LeftBehind Sample() {
  LeftBehind left;
  left.boot.bytes[0] = 7;
  left.run = {.number = 3, .name = "mission \"x\"", .at = At(5), .labels = {{"k", "v\n"}}};
  left.written_at = At(6);
  return left;
}

TEST(RunFileTest, WhatIsSavedIsLoaded) {
  const TempFolder folder;
  const RunFile file({folder.path() / "run.json"});
  ASSERT_TRUE(file.Save(Sample()).ok());
  const auto loaded = file.Load();
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(*loaded, Sample());
}

TEST(RunFileTest, SecondPlaceServesWhereTheFirstCannotBeWritten) {
  const TempFolder folder;
  const RunFile file({folder.path() / "missing" / "run.json", folder.path() / "run.json"});
  ASSERT_TRUE(file.Save(Sample()).ok());
  EXPECT_EQ(*file.Load(), Sample());
}

TEST(RunFileTest, LatestWordOfTheBootWins) {
  const TempFolder folder;
  const auto first = folder.path() / "a.json";
  const auto second = folder.path() / "b.json";
  LeftBehind later = Sample();
  later.run.number = 9;
  later.written_at = At(60);
  ASSERT_TRUE(RunFile({first}).Save(Sample()).ok());
  ASSERT_TRUE(RunFile({second}).Save(later).ok());
  EXPECT_EQ(*RunFile({first, second}).Load(), later);
  EXPECT_EQ(*RunFile({second, first}).Load(), later);
}

TEST(RunFileTest, NothingLeftIsNotFoundAndGarbageIsCorrupt) {
  const TempFolder folder;
  EXPECT_EQ(RunFile({folder.path() / "none"}).Load().error()->code(), Code::kNotFound);
  for (const char* text : {"{}", R"({"boot_id":"x","number":1})", R"([])"}) {
    EXPECT_FALSE(ParseLeftBehind(text).ok()) << text;
  }
  EXPECT_FALSE(ParseLeftBehind("garbage").ok());
}

}  // namespace
}  // namespace tacho
