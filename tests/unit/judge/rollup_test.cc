// Folding rows: exact, in any order, and as its page says.
#include "server/judge/rollup.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "tests/support/block_maker.h"
#include "tests/support/made_records.h"
#include "tests/support/page_example.h"

namespace tacho {
namespace {

RunRollup Whole() {
  RunRollup rollup;
  rollup.from = BootTime{};
  rollup.to = BootTime::max();
  return rollup;
}

SeriesRollup FoldColumns(std::vector<Column> columns, std::size_t rows) {
  RunRollup rollup = Whole();
  Block block = SteadyBlock(GroupId{0}, rows);
  block.columns = std::move(columns);
  EXPECT_TRUE(Folder(rollup).Fold(block, DictionaryHash{1}, MadeDictionary()).ok());
  return rollup.series.begin()->second;
}

TEST(Rollup, CountsAndSumsReadings) {
  const SeriesRollup series = FoldColumns({FullColumn(ChannelId{0}, {3, 1, 2, 2})}, 4);
  EXPECT_EQ(series.present, 4u);
  EXPECT_TRUE(series.sum == 8);
  EXPECT_TRUE(series.squares == 18);
  EXPECT_EQ(series.min, 1);
  EXPECT_EQ(series.max, 3);
  EXPECT_EQ(series.last, 2);
  EXPECT_EQ(series.last_at, At(4));
  EXPECT_EQ(series.histogram.count(), 4u);
}

TEST(Rollup, CountsAbsenceByReasonAndNeverPadding) {
  Column column = FullColumn(ChannelId{0}, {5, 0, 0, 0});
  column.why = {Why::kPresent, Why::kGated, Why::kBroken, Why::kMissing};
  const SeriesRollup series = FoldColumns({column}, 4);
  EXPECT_EQ(series.present, 1u);
  EXPECT_EQ(series.absent[static_cast<std::size_t>(Why::kGated)], 1u);
  EXPECT_EQ(series.absent_count(), 2u);
  EXPECT_EQ(series.min, 5);
}

TEST(Rollup, TakesFoldsOfTheRobotWithoutInventingQuantiles) {
  const ChannelId id{0};
  const SeriesRollup series =
      FoldColumns({FullColumn(id, {7, 8}, Stat::kLast), FullColumn(id, {1, 2}, Stat::kMin),
                   FullColumn(id, {9, 8}, Stat::kMax), FullColumn(id, {50, 60}, Stat::kSum),
                   FullColumn(id, {10, 10}, Stat::kCount)},
                  2);
  EXPECT_TRUE(series.has_folds);
  EXPECT_EQ(series.present, 20u);
  EXPECT_TRUE(series.sum == 110);
  EXPECT_EQ(series.min, 1);
  EXPECT_EQ(series.max, 9);
  EXPECT_EQ(series.last, 8);
  EXPECT_EQ(series.histogram.count(), 0u);
}

TEST(Rollup, LeavesOutRowsOutsideItsInterval) {
  RunRollup rollup;
  rollup.from = At(2);
  rollup.to = At(4);
  Block block = SteadyBlock(GroupId{0}, 5);
  block.columns = {FullColumn(ChannelId{0}, {1, 2, 3, 4, 5})};
  ASSERT_TRUE(Folder(rollup).Fold(block, DictionaryHash{1}, MadeDictionary()).ok());
  EXPECT_TRUE(rollup.series.begin()->second.sum == 5);
  EXPECT_EQ(rollup.dictionaries.begin()->second, (DictionarySpan{At(2), At(3)}));
}

TEST(Rollup, RefusesAChannelTheDictionaryLacks) {
  RunRollup rollup = Whole();
  Block block = SteadyBlock(GroupId{0}, 1);
  block.columns = {FullColumn(ChannelId{3}, {1})};
  EXPECT_EQ(Folder(rollup).Fold(block, DictionaryHash{1}, MadeDictionary()).code(), Code::kCorrupt);
  EXPECT_TRUE(rollup.series.empty());
}

TEST(Rollup, GivesTheSameBytesInAnyOrderAndPacking) {
  std::mt19937_64 random(7);
  std::vector<Block> blocks;
  for (int i = 0; i < 20; ++i) {
    Block block = HostileBlock(random, 1 + random() % 30, 3);
    std::uint32_t channel = 0;
    for (Column& column : block.columns)
      column.channel = ChannelId{channel++};
    block.group = GroupId{0};
    blocks.push_back(std::move(block));
  }
  const auto fold = [](const std::vector<Block>& parts) {
    RunRollup rollup;
    rollup.from = BootTimeOf(-1'000'000'000'000'000'000);
    rollup.to = BootTime::max();
    Folder folder(rollup);
    for (const Block& part : parts) {
      EXPECT_TRUE(folder.Fold(part, DictionaryHash{1}, MadeDictionary()).ok());
    }
    folder.Finish();
    return Encode(rollup);
  };
  const auto expected = fold(blocks);
  for (int round = 0; round < 10; ++round) {
    std::shuffle(blocks.begin(), blocks.end(), random);
    EXPECT_EQ(fold(blocks), expected);
    std::vector<Block> packed;
    Append(packed, blocks);
    EXPECT_EQ(fold(packed), expected);
  }
}

TEST(HistogramBuffer, LeavesTheHistogramAsIfEveryReadingHadGoneStraightIn) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 200; ++round) {
    Histogram straight;
    Histogram through;
    HistogramBuffer buffer(through);
    const std::size_t readings = random() % 2000;
    const int width = 1 + static_cast<int>(random() % 63);
    for (std::size_t i = 0; i < readings; ++i) {
      const auto value =
          static_cast<std::int64_t>(random() >> (64 - width)) * (random() % 2 == 0 ? 1 : -1);
      straight.Add(value);
      buffer.Count(value);
      buffer.See(value, value);
    }
    buffer.Flush();
    EXPECT_EQ(through, straight) << round;
  }
}

TEST(HistogramBuffer, KeepsTheSmallestIntegerApart) {
  Histogram straight;
  Histogram through;
  HistogramBuffer buffer(through);
  for (const std::int64_t value : {std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max(), std::int64_t{0}}) {
    straight.Add(value);
    buffer.Count(value);
    buffer.See(value, value);
  }
  buffer.Flush();
  EXPECT_EQ(through, straight);
}

TEST(Rollup, SurvivesItsBytes) {
  RunRollup rollup = Whole();
  rollup.folded[{Epoch{9}, Tier::kSummaries}].Add({Seq{3}, 40});
  RobotMaker maker(3);
  Block block = maker.Make(50);
  block.columns.resize(3);
  ASSERT_TRUE(Folder(rollup).Fold(block, DictionaryHash{77}, MadeDictionary()).ok());
  const auto bytes = Encode(rollup);
  const auto back = DecodeRollup(bytes);
  ASSERT_TRUE(back.ok()) << back.error()->message();
  EXPECT_EQ(*back, rollup);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeRollup(std::span(bytes).first(size)).ok()) << size;
  }
}

TEST(Rollup, IsAsItsPageShows) {
  const auto rollup = DecodeRollup(PageExample("formats/store.md", "rollup"));
  ASSERT_TRUE(rollup.ok()) << rollup.error()->message();
  RunRollup expected;
  expected.from = At(1);
  expected.to = At(3);
  expected.folded[{Epoch{9}, Tier::kSummaries}].Add({Seq{1}, 2});
  Dictionary dictionary;
  dictionary.groups = {{GroupId{0}, "board", std::chrono::seconds(1)}};
  dictionary.channels = {{ChannelId{0}, GroupId{0}, "load", "", Unit::kNone, 0, Shape::kGauge, ""}};
  Block block = SteadyBlock(GroupId{0}, 2);
  block.columns = {FullColumn(ChannelId{0}, {5, 7})};
  ASSERT_TRUE(Folder(expected).Fold(block, DictionaryHash{0x0102030405060708}, dictionary).ok());
  EXPECT_EQ(*rollup, expected);
  EXPECT_EQ(Encode(expected), PageExample("formats/store.md", "rollup"));
}

}  // namespace
}  // namespace tacho
