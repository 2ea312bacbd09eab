// Appending blocks: rows follow, what one side lacks is missing.
#include <gtest/gtest.h>

#include "common/codec/block.h"
#include "tests/support/block_maker.h"

namespace tacho {
namespace {

Block BlockOf(GroupId group, std::vector<Column> columns) {
  Block block = SteadyBlock(group, columns.empty() ? 1 : columns[0].values.size());
  block.columns = std::move(columns);
  return block;
}

TEST(AppendTest, RowsOfTheSameChannelsFollow) {
  Block to = BlockOf(GroupId{1}, {FullColumn(ChannelId{0}, {1, 2})});
  Append(to, BlockOf(GroupId{1}, {FullColumn(ChannelId{0}, {3})}));
  EXPECT_EQ(to.columns, (std::vector<Column>{FullColumn(ChannelId{0}, {1, 2, 3})}));
  EXPECT_EQ(to.rows(), 3u);
}

TEST(AppendTest, ChannelThatOneSideLacksIsMissingThere) {
  Block to = BlockOf(GroupId{1}, {FullColumn(ChannelId{1}, {1, 2})});
  Append(to, BlockOf(GroupId{1}, {FullColumn(ChannelId{0}, {3}), FullColumn(ChannelId{7}, {4})}));
  ASSERT_EQ(to.columns.size(), 3u);
  EXPECT_EQ(to.columns[0].channel, ChannelId{0});
  EXPECT_EQ(to.columns[0].values, (std::vector<std::int64_t>{0, 0, 3}));
  EXPECT_EQ(to.columns[0].why, (std::vector<Why>{Why::kMissing, Why::kMissing, Why::kPresent}));
  EXPECT_EQ(to.columns[1].values, (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(to.columns[1].why, (std::vector<Why>{Why::kPresent, Why::kPresent, Why::kMissing}));
  EXPECT_EQ(to.columns[2].channel, ChannelId{7});
}

TEST(AppendTest, StatsOfOneChannelAreColumnsOfTheirOwn) {
  Block to = BlockOf(GroupId{1}, {FullColumn(ChannelId{4}, {1})});
  Append(to, BlockOf(GroupId{1}, {FullColumn(ChannelId{4}, {2}, Stat::kMax)}));
  ASSERT_EQ(to.columns.size(), 2u);
  EXPECT_EQ(to.columns[1].stat, Stat::kMax);
  EXPECT_EQ(to.columns[1].why, (std::vector<Why>{Why::kMissing, Why::kPresent}));
}

TEST(AppendTest, RowsWithoutAnyColumnAreMissingEverywhere) {
  Block to = BlockOf(GroupId{1}, {FullColumn(ChannelId{4}, {1})});
  Append(to, SteadyBlock(GroupId{1}, 2));
  EXPECT_EQ(to.columns[0].why, (std::vector<Why>{Why::kPresent, Why::kMissing, Why::kMissing}));
}

TEST(AppendTest, EachGroupKeepsItsOwnBlock) {
  std::vector<Block> to = {BlockOf(GroupId{1}, {FullColumn(ChannelId{0}, {1})})};
  const std::vector<Block> more = {BlockOf(GroupId{2}, {FullColumn(ChannelId{5}, {9})}),
                                   BlockOf(GroupId{1}, {FullColumn(ChannelId{0}, {2})})};
  Append(to, more);
  ASSERT_EQ(to.size(), 2u);
  EXPECT_EQ(to[0].columns[0].values, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(to[1], more[0]);
}

TEST(AppendTest, SecondsBecomeTheChunkTheyWereCutFrom) {
  const Block whole = RobotMaker(3).Make(50);
  Block grown;
  for (std::size_t row = 0; row < whole.rows(); ++row) {
    Block second;
    second.times = {whole.times[row]};
    for (const Column& column : whole.columns) {
      second.columns.push_back(FullColumn(column.channel, {column.values[row]}));
    }
    Append(grown, second);
  }
  EXPECT_EQ(grown, whole);
}

}  // namespace
}  // namespace tacho
