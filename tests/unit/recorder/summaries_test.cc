// One-second summaries: what is kept, what folds, and when a second is over.
#include "daemon/recorder/summaries.h"

#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

// The cell of a block, as text: "7", or the reason for its absence.
std::string CellOf(const Block& block, std::uint32_t channel, Stat stat, std::size_t row = 0) {
  for (const Column& column : block.columns) {
    if (column.channel != ChannelId{channel} || column.stat != stat) continue;
    if (column.why.at(row) != Why::kPresent) return std::string(NameOf(column.why[row]));
    return std::to_string(column.values.at(row));
  }
  return "no column";
}

std::size_t RowsIn(const std::vector<Block>& blocks) {
  std::size_t rows = 0;
  for (const Block& block : blocks) {
    rows += block.rows();
  }
  return rows;
}

TEST(SummariesTest, UpToFourRowsOfASecondAreKeptAsTheyCame) {
  Summaries summaries;
  for (const double at : {5.0, 5.2, 5.4, 5.9}) {
    summaries.Add(RowAt(at, {Value(0, static_cast<std::int64_t>(at * 10))}));
  }
  summaries.SealAll();
  const auto blocks = summaries.Take();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].times, (std::vector<BootTime>{At(5.0), At(5.2), At(5.4), At(5.9)}));
  ASSERT_EQ(blocks[0].columns.size(), 1u);
  EXPECT_EQ(blocks[0].columns[0].stat, Stat::kValue);
  EXPECT_EQ(blocks[0].columns[0].values, (std::vector<std::int64_t>{50, 52, 54, 59}));
}

TEST(SummariesTest, FiveRowsFoldIntoOneAtTheTimeOfTheLast) {
  Summaries summaries;
  for (const int i : {3, 1, 4, 1, 5}) {
    summaries.Add(RowAt(5.0 + 0.01 * i, {Value(7, i)}));
  }
  summaries.SealAll();
  const auto blocks = summaries.Take();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].times, std::vector<BootTime>{At(5.05)});
  EXPECT_EQ(CellOf(blocks[0], 7, Stat::kLast), "5");
  EXPECT_EQ(CellOf(blocks[0], 7, Stat::kMin), "1");
  EXPECT_EQ(CellOf(blocks[0], 7, Stat::kMax), "5");
  EXPECT_EQ(CellOf(blocks[0], 7, Stat::kSum), "14");
  EXPECT_EQ(CellOf(blocks[0], 7, Stat::kCount), "5");
}

TEST(SummariesTest, AbsentReadingsNeverCountAsZero) {
  Summaries summaries;
  for (int i = 0; i < 5; ++i) {
    const Cell some = i % 2 == 0 ? Value(1, 40 + i) : Absent(1, Why::kGated);
    summaries.Add(RowAt(5.0 + 0.1 * i, {some, Absent(2, Why::kForbidden)}));
  }
  summaries.SealAll();
  const auto blocks = summaries.Take();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(CellOf(blocks[0], 1, Stat::kMin), "40");
  EXPECT_EQ(CellOf(blocks[0], 1, Stat::kCount), "3");
  EXPECT_EQ(CellOf(blocks[0], 2, Stat::kSum), std::string(NameOf(Why::kForbidden)));
  EXPECT_EQ(CellOf(blocks[0], 2, Stat::kCount), std::string(NameOf(Why::kForbidden)));
}

TEST(SummariesTest, SumPast64BitsIsNoNumber) {
  Summaries summaries;
  for (int i = 0; i < 5; ++i) {
    summaries.Add(RowAt(5.0 + 0.1 * i, {Value(1, std::numeric_limits<std::int64_t>::max())}));
  }
  summaries.SealAll();
  const auto blocks = summaries.Take();
  EXPECT_EQ(CellOf(blocks.at(0), 1, Stat::kSum), std::string(NameOf(Why::kUnparsable)));
  EXPECT_EQ(CellOf(blocks.at(0), 1, Stat::kCount), "5");
}

TEST(SummariesTest, RowOfALaterSecondSealsItsOwnGroupOnly) {
  Summaries summaries;
  summaries.Add(RowAt(5.0, {Value(0, 1)}, 0));
  summaries.Add(RowAt(5.1, {Value(1, 2)}, 1));
  summaries.Add(RowAt(6.0, {Value(0, 3)}, 0));
  const auto blocks = summaries.Take();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].group, GroupId{0});
  EXPECT_EQ(blocks[0].times, std::vector<BootTime>{At(5.0)});
}

TEST(SummariesTest, TickSealsASecondOnceItsGraceIsOver) {
  Summaries summaries;
  summaries.Add(RowAt(5.0, {Value(0, 1)}));
  summaries.Tick(At(6.99));
  EXPECT_TRUE(summaries.Take().empty());
  summaries.Tick(At(7.0));
  EXPECT_EQ(RowsIn(summaries.Take()), 1u);
  summaries.Tick(At(8.0));
  EXPECT_TRUE(summaries.Take().empty()) << "a second is sealed once";
}

TEST(SummariesTest, SealedGroupsComeInOrderOfGroup) {
  Summaries summaries;
  for (const std::uint16_t group : std::vector<std::uint16_t>{2, 0, 1}) {
    summaries.Add(RowAt(5.0, {Value(group, 1)}, group));
  }
  summaries.Tick(At(9));
  const auto blocks = summaries.Take();
  ASSERT_EQ(blocks.size(), 3u);
  for (std::uint16_t group = 0; group < 3; ++group) {
    EXPECT_EQ(blocks[group].group, GroupId{group});
  }
}

TEST(SummariesTest, SixHundredLinesAtTwoHertzGiveSixHundredRows) {
  Summaries summaries;
  std::vector<Block> all;
  for (int line = 0; line < 600; ++line) {
    const double at = 100.37 + 0.5 * line;
    summaries.Add(RowAt(at, {Value(0, line)}));
    summaries.Tick(At(at));
    Append(all, summaries.Take());
  }
  summaries.SealAll();
  Append(all, summaries.Take());
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].columns.size(), 1u);
  ASSERT_EQ(all[0].rows(), 600u);
  for (std::size_t line = 0; line < 600; ++line) {
    EXPECT_EQ(all[0].columns[0].values[line], static_cast<std::int64_t>(line));
  }
}

TEST(SummariesTest, RowsThatGoBackInTimeAreKeptInOrderOfArrival) {
  Summaries summaries;
  summaries.Add(RowAt(7.0, {Value(0, 1)}));
  summaries.Add(RowAt(5.0, {Value(0, 2)}));
  summaries.SealAll();
  const auto blocks = summaries.Take();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].columns[0].values, (std::vector<std::int64_t>{1, 2}));
}

}  // namespace
}  // namespace tacho
