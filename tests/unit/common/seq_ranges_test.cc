// Ranges of sequence numbers: growing, overlapping, missing.
#include "common/seq_ranges.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace tacho {
namespace {

SeqRange Range(std::uint64_t first, std::uint64_t count) {
  return {Seq{first}, count};
}

TEST(SeqRangesTest, TouchingRangesGrowTogether) {
  SeqRanges ranges;
  ranges.Add(Range(1, 3));
  ranges.Add(Range(10, 2));
  ranges.Add(Range(4, 6));
  EXPECT_EQ(ranges.list(), (std::vector<SeqRange>{Range(1, 11)}));
  EXPECT_EQ(ranges.through(), Seq{11});
}

TEST(SeqRangesTest, TouchingAreTheWholeRangesThatOverlap) {
  SeqRanges ranges;
  for (const std::uint64_t first : {1u, 10u, 20u, 30u})
    ranges.Add({Seq{first}, 5});
  EXPECT_EQ(ranges.Touching({Seq{14}, 7}), (std::vector<SeqRange>{{Seq{10}, 5}, {Seq{20}, 5}}));
  EXPECT_TRUE(ranges.Touching({Seq{15}, 5}).empty());
  EXPECT_TRUE(ranges.Touching({Seq{12}, 0}).empty());
  EXPECT_EQ(ranges.Touching({Seq{1}, 100}).size(), 4u);
}

TEST(SeqRangesTest, NothingIsThroughWhileTheFirstIsMissing) {
  SeqRanges ranges;
  EXPECT_EQ(ranges.through(), Seq{0});
  ranges.Add(Range(2, 5));
  EXPECT_EQ(ranges.through(), Seq{0});
  ranges.Add(Range(1, 1));
  EXPECT_EQ(ranges.through(), Seq{6});
}

TEST(SeqRangesTest, EmptyRangeChangesNothing) {
  SeqRanges ranges;
  ranges.Add(Range(5, 0));
  EXPECT_EQ(ranges.count(), 0u);
  EXPECT_FALSE(ranges.Overlaps(Range(5, 0)));
  EXPECT_TRUE(ranges.Contains(Range(5, 0)));
}

TEST(SeqRangesTest, RangePastTheLastSeqIsCut) {
  SeqRanges ranges;
  const std::uint64_t most = ~std::uint64_t{0};
  ranges.Add(Range(most - 1, most));
  EXPECT_EQ(ranges.count(), 1u);
  EXPECT_TRUE(ranges.Overlaps(Range(5, most)));
  EXPECT_EQ(ranges.MissingIn(Range(most - 3, most)), (std::vector<SeqRange>{Range(most - 3, 2)}));
}

// The same questions asked of a plain set of numbers.
TEST(SeqRangesTest, AgreesWithAPlainSetOnRandomRanges) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    SeqRanges ranges;
    std::set<std::uint64_t> plain;
    for (int step = 0; step < 30; ++step) {
      const SeqRange range = Range(1 + random() % 60, random() % 6);
      std::uint64_t held = 0;
      for (std::uint64_t i = 0; i < range.count; ++i) {
        held += plain.count(Number(range.first) + i);
      }
      EXPECT_EQ(ranges.Overlaps(range), held > 0);
      EXPECT_EQ(ranges.Contains(range), held == range.count);
      std::uint64_t missing = 0;
      for (const SeqRange& part : ranges.MissingIn(range)) {
        missing += part.count;
        EXPECT_FALSE(ranges.Overlaps(part));
      }
      EXPECT_EQ(missing, range.count - held);
      if (step % 3 == 0) continue;
      ranges.Add(range);
      for (std::uint64_t i = 0; i < range.count; ++i) {
        plain.insert(Number(range.first) + i);
      }
      EXPECT_EQ(ranges.count(), plain.size());
    }
  }
}

}  // namespace
}  // namespace tacho
