// The channel book: dense numbers that stay, limits that hold.
#include "daemon/recorder/channels.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

#include "daemon/recorder/reading.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr MetricDef kPower{"power_rail", Unit::kWatts, 3, Shape::kGauge, "Power of a rail."};

TEST(ChannelsTest, NumbersAreDenseAndStayAcrossGroups) {
  Channels channels;
  const GroupId board = channels.AddGroup("board", 1s);
  const GroupId tegrastats = channels.AddGroup("tegrastats", 500ms);
  EXPECT_EQ(channels.BookOf(board).Add(kPower, "GPU"), ChannelId{0});
  EXPECT_EQ(channels.BookOf(tegrastats).Add(kPower, "GPU"), ChannelId{1});
  EXPECT_EQ(channels.BookOf(board).Add(kPower, "GPU"), ChannelId{0});
  const Dictionary dictionary = channels.Snapshot();
  ASSERT_EQ(dictionary.channels.size(), 2u);
  EXPECT_EQ(dictionary.channels[1].group, tegrastats);
  EXPECT_EQ(dictionary.groups[1].period, 500ms);
}

TEST(ChannelsTest, VersionGrowsWithEveryChangeAndOnlyThen) {
  Channels channels;
  const GroupId board = channels.AddGroup("board", 1s);
  channels.BookOf(board).Add(kPower, "GPU");
  channels.SetSetup({{"model", "Orin"}});
  const auto version = channels.version();
  channels.AddGroup("board", 1s);
  channels.BookOf(board).Add(kPower, "GPU");
  channels.SetSetup({{"model", "Orin"}});
  EXPECT_EQ(channels.version(), version);
  channels.SetSetup({{"model", "Thor"}});
  EXPECT_GT(channels.version(), version);
}

TEST(ChannelsTest, ChannelsPastTheLimitAreRefusedAndCounted) {
  Channels channels({.channels = 2, .groups = 1, .setup = 1, .text = 4});
  const GroupId board = channels.AddGroup("board", 1s);
  EXPECT_EQ(channels.AddGroup("other", 1s), board);
  channels.BookOf(board).Add(kPower, "a");
  channels.BookOf(board).Add(kPower, "b");
  EXPECT_EQ(channels.BookOf(board).Add(kPower, "c"), kNoChannel);
  EXPECT_EQ(channels.refused(), 1u);
  channels.SetSetup({{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(channels.Snapshot().setup.size(), 1u);
}

TEST(ChannelsTest, AnotherGroupsChannelIsTakenTheOwnIsNot) {
  Channels channels;
  const GroupId board = channels.AddGroup("board", 1s);
  const GroupId tegrastats = channels.AddGroup("tegrastats", 1s);
  channels.BookOf(board).Add(kPower, "GPU");
  EXPECT_TRUE(channels.IsTakenBeside(tegrastats, "power_rail", "GPU"));
  EXPECT_FALSE(channels.IsTakenBeside(tegrastats, "power_rail", "CPU"));
  EXPECT_FALSE(channels.IsTakenBeside(board, "power_rail", "GPU"));
}

TEST(ChannelsTest, ThreadsThatNameChannelsAtOnceGetNumbersOfTheirOwn) {
  Channels channels;
  const GroupId board = channels.AddGroup("board", 1s);
  std::vector<std::vector<ChannelId>> given(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < given.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < 50; ++n) {
        given[i].push_back(
            channels.BookOf(board).Add(kPower, std::to_string(i) + "/" + std::to_string(n)));
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  std::set<ChannelId> all;
  for (const auto& ids : given)
    all.insert(ids.begin(), ids.end());
  EXPECT_EQ(all.size(), 200u);
  EXPECT_EQ(*all.rbegin(), ChannelId{199});
}

}  // namespace
}  // namespace tacho
