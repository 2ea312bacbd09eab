// Runs as the judge sees them through the store: coverage, setup, events.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr const char* kCool = R"([[budget]]
name = "cool"
metric = "temperature"
statistic = "max"
max = "90 C"
power_mode = "30W"
)";

class JudgedRun : public testing::Test {
 protected:
  JudgedRun() {
    world_.UseBudgets(kCool);
    stream_ = world_.Call("rb12", boot_.id(), 1);
    world_.Send(*stream_, {boot_.DictionaryRecord(), boot_.Opened(1, "mission", At(1))});
  }
  Json Check() { return world_.Ask("check", Json::Object{{"run", "rb12@latest"}}); }
  Json First() { return Check()["budgets"].items().at(0); }

  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  MadeBoot boot_;
  std::shared_ptr<FakeRobotStream> stream_;
};

TEST_F(JudgedRun, WithoutRowsHasCoverageZeroAndNoData) {
  world_.Send(*stream_, {boot_.Closed(1, "mission", At(60), "command")});
  EXPECT_EQ(First()["verdict"].AsText(), "NO_DATA");
  EXPECT_DOUBLE_EQ(First()["coverage"].AsDouble(1), 0);
  EXPECT_EQ(First()["expected"].AsInt(), 59);
}

TEST_F(JudgedRun, WithHalfItsRowsHasNoData) {
  world_.Send(*stream_, {boot_.Seconds(1, 30), boot_.Closed(1, "mission", At(61), "command")});
  EXPECT_EQ(First()["verdict"].AsText(), "NO_DATA");
  EXPECT_DOUBLE_EQ(First()["coverage"].AsDouble(), 0.5);
  EXPECT_EQ(First()["reason"].AsText(), "coverage 50.0 %, 90.0 % asked");
}

// Of three channels one is off for the whole run and one for a third of it; all else was measured.
TEST_F(JudgedRun, WhatWasOffIsNoGapInTheRunButNoDataForItsBudget) {
  Block block = MadeBoot::Rows(1, 30);
  const auto hide = [&](std::size_t column, std::size_t rows, Why why) {
    std::fill_n(block.columns[column].values.begin(), rows, 0);
    std::fill_n(block.columns[column].why.begin(), rows, why);
  };
  hide(0, 10, Why::kGated);
  hide(1, 30, Why::kDisabled);
  world_.Send(*stream_, {boot_.Summary(block, 30), boot_.Closed(1, "mission", At(31), "command")});
  EXPECT_DOUBLE_EQ(Check()["run"]["coverage"].AsDouble(), 1);
  EXPECT_EQ(First()["verdict"].AsText(), "NO_DATA");
  EXPECT_EQ(First()["reason"].AsText(), "coverage 66.7 %, 90.0 % asked: 10 gated");
}

TEST_F(JudgedRun, WhatCouldNotBeReadIsAGapInTheRun) {
  Block block = MadeBoot::Rows(1, 30);
  std::fill(block.columns[1].values.begin(), block.columns[1].values.end(), 0);
  std::fill(block.columns[1].why.begin(), block.columns[1].why.end(), Why::kBroken);
  world_.Send(*stream_, {boot_.Summary(block, 30), boot_.Closed(1, "mission", At(31), "command")});
  EXPECT_DOUBLE_EQ(Check()["run"]["coverage"].AsDouble(), 2.0 / 3);
}

TEST_F(JudgedRun, LateRowsTurnNoDataIntoAVerdict) {
  world_.Send(*stream_, {boot_.Closed(1, "mission", At(31), "command")});
  EXPECT_EQ(world_.Ask("runs")["runs"].items()[0]["verdict"].AsText(), "NO_DATA");
  world_.Send(*stream_, {boot_.Seconds(1, 30)});
  EXPECT_EQ(First()["verdict"].AsText(), "PASS");
  EXPECT_EQ(world_.Ask("runs")["runs"].items()[0]["verdict"].AsText(), "PASS");
}

TEST_F(JudgedRun, ThrottlingInsideMakesItInvalidAndOutsideNot) {
  world_.Send(*stream_, {boot_.Seconds(1, 30), boot_.Closed(1, "mission", At(31), "command"),
                         boot_.Happened("throttle", "gpu", At(40))});
  EXPECT_EQ(First()["verdict"].AsText(), "PASS");
  world_.Send(*stream_, {boot_.Happened("throttle", "gpu", At(20))});
  EXPECT_EQ(First()["verdict"].AsText(), "INVALID");
}

TEST_F(JudgedRun, AChangedPowerModeMakesItInvalid) {
  world_.Send(*stream_, {boot_.Seconds(1, 15)});
  boot_.UseDictionary(MadeDictionary("40W"));
  world_.Send(*stream_, {boot_.DictionaryRecord(), boot_.Seconds(16, 15),
                         boot_.Closed(1, "mission", At(31), "command")});
  EXPECT_EQ(First()["verdict"].AsText(), "INVALID");
  EXPECT_EQ(First()["reason"].AsText(), "the power mode changed during the run");
}

TEST_F(JudgedRun, IsWeighedAgainWhenTheBudgetsChange) {
  world_.Send(*stream_, {boot_.Seconds(1, 30), boot_.Closed(1, "mission", At(31), "command")});
  EXPECT_EQ(world_.Ask("runs")["runs"].items()[0]["verdict"].AsText(), "PASS");
  world_.UseBudgets(
      "[[budget]]\nname = \"x\"\nmetric = \"temperature\"\nstatistic = \"max\"\nmax = \"1 C\"\n");
  EXPECT_EQ(world_.Ask("runs")["runs"].items()[0]["verdict"].AsText(), "FAIL");
  world_.UseBudgets("");
  EXPECT_EQ(Check()["verdict"].AsText(), "NO_DATA");
}

}  // namespace
}  // namespace tacho
