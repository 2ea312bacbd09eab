// Where runs begin and end, and how much they should have brought.
#include "server/timeline.h"

#include <gtest/gtest.h>

#include "server/expectation.h"
#include "tests/support/made_records.h"

namespace tacho {
namespace {

RunRow Row(std::uint32_t number, std::optional<BootTime> opened, std::optional<BootTime> closed,
           std::string reason = "") {
  RunRow row;
  row.key.number = number;
  row.opened = opened;
  row.closed = closed;
  row.close_reason = std::move(reason);
  return row;
}

BootRow SeenUntil(double first, double last) {
  BootRow boot;
  boot.first_seen = At(first);
  boot.last_seen = At(last);
  return boot;
}

TEST(Timeline, AnOpenRunReachesToWhatWasSeenLast) {
  const auto spans = TimelineOf({Row(1, At(1), {})}, SeenUntil(1, 30), true);
  EXPECT_EQ(spans[0].state, RunState::kOpen);
  EXPECT_EQ(spans[0].ended, At(30));
  EXPECT_EQ(spans[0].to, BootTime::max());
}

TEST(Timeline, AnOlderBootsOpenRunEndedUncleanly) {
  const auto spans = TimelineOf({Row(1, At(1), {})}, SeenUntil(1, 30), false);
  EXPECT_EQ(spans[0].state, RunState::kUnclean);
  EXPECT_EQ(spans[0].reason, "unclean end");
}

TEST(Timeline, TheNextOpeningClosesWhatNobodyClosed) {
  const auto spans =
      TimelineOf({Row(1, At(1), {}), Row(2, At(10), At(20), "command")}, SeenUntil(1, 30), true);
  EXPECT_EQ(spans[0].state, RunState::kClosed);
  EXPECT_EQ(spans[0].to, At(10));
  EXPECT_EQ(spans[0].reason, "next run");
  EXPECT_EQ(spans[1].ended, At(20));
}

TEST(Timeline, ARunWithoutItsOpeningStartsWhereTheOneBeforeEnded) {
  const auto spans = TimelineOf({Row(1, At(1), At(10), "next run"), Row(2, {}, At(20), "command")},
                                SeenUntil(1, 30), true);
  EXPECT_EQ(spans[1].from, At(10));
  const auto alone = TimelineOf({Row(2, {}, At(20), "command")}, SeenUntil(4, 30), true);
  EXPECT_EQ(alone[0].from, At(4));
}

TEST(Timeline, TheRecorderMaySayItselfThatARunEndedUncleanly) {
  const auto spans = TimelineOf({Row(1, At(1), At(10), "unclean end"), Row(2, At(12), {})},
                                SeenUntil(1, 30), true);
  EXPECT_EQ(spans[0].state, RunState::kUnclean);
}

TEST(Expectations, FollowTheDictionaryInForce) {
  auto slow = MadeDictionary();
  auto fast = MadeDictionary();
  fast.groups[0].period = std::chrono::milliseconds(100);
  fast.channels.pop_back();
  const auto expected = ExpectationsOf({{At(3), std::make_shared<const Dictionary>(slow)},
                                        {At(11), std::make_shared<const Dictionary>(fast)}},
                                       At(1), At(21));
  ASSERT_EQ(expected.size(), 3u);
  EXPECT_DOUBLE_EQ(expected.at(KeyOf(slow.channels[0])).readings, 10 + 100);
  EXPECT_DOUBLE_EQ(expected.at(KeyOf(slow.channels[2])).readings, 10);
}

}  // namespace
}  // namespace tacho
