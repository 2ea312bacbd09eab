// Histograms: merging in any order, quantiles within their error, bytes and back.
#include "common/histogram.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "common/bytes.h"
#include "tests/support/page_example.h"

namespace tacho {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Histogram Of(std::span<const std::int64_t> values) {
  Histogram histogram;
  for (const std::int64_t value : values) {
    histogram.Add(value);
  }
  return histogram;
}

std::vector<std::int64_t> RandomValues(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(static_cast<std::int64_t>(random()) >> (random() % 64));
  }
  return values;
}

TEST(HistogramPageTest, ExampleIsWhatThePageSays) {
  const Bytes page = PageExample("formats/codec.md", "histogram");
  const Histogram histogram = Of(std::vector<std::int64_t>{3, -5, 1000, 3});
  EXPECT_EQ(histogram.Encode(), page);
  auto decoded = Histogram::Decode(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, histogram);
}

TEST(HistogramTest, SmallValuesAreExact) {
  std::vector<std::int64_t> values;
  for (std::int64_t value = -127; value <= 127; ++value) {
    values.push_back(value);
  }
  const Histogram histogram = Of(values);
  for (std::size_t k = 1; k <= values.size(); ++k) {
    EXPECT_EQ(histogram.AtRank(k), values[k - 1]);
  }
}

TEST(HistogramTest, EveryRankIsWithinOneIn256OfTheSortedValue) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<std::int64_t> values = RandomValues(seed, 2000);
    values.insert(values.end(), {kLeast, kMost, 0, -1});
    const Histogram histogram = Of(values);
    std::sort(values.begin(), values.end());
    for (std::size_t k = 1; k <= values.size(); ++k) {
      const auto exact = static_cast<double>(values[k - 1]);
      const auto found = static_cast<double>(histogram.AtRank(k));
      ASSERT_LE(std::abs(found - exact), std::abs(exact) / 256) << "rank " << k;
    }
  }
}

TEST(HistogramTest, QuantilesOfOneValueAreThatValue) {
  const Histogram histogram = Of(std::vector<std::int64_t>{123'456'789});
  for (const double q : {0.0, 0.5, 0.99, 1.0}) {
    EXPECT_EQ(histogram.Quantile(q), 123'456'789);
  }
}

TEST(HistogramTest, QuantileTakesTheRankAbove) {
  const Histogram histogram = Of(std::vector<std::int64_t>{1, 2, 3, 4});
  EXPECT_EQ(histogram.Quantile(0), 1);
  EXPECT_EQ(histogram.Quantile(0.25), 1);
  EXPECT_EQ(histogram.Quantile(0.26), 2);
  EXPECT_EQ(histogram.Quantile(0.5), 2);
  EXPECT_EQ(histogram.Quantile(1), 4);
}

TEST(HistogramTest, MergingIsAddingInAnyOrderAndGrouping) {
  const auto values = RandomValues(3, 300);
  const std::span<const std::int64_t> all(values);
  const Histogram a = Of(all.first(100));
  const Histogram b = Of(all.subspan(100, 100));
  const Histogram c = Of(all.subspan(200));
  Histogram left = a;
  left.Merge(b);
  left.Merge(c);
  Histogram tail = c;
  tail.Merge(b);
  Histogram right;
  right.Merge(tail);
  right.Merge(a);
  EXPECT_EQ(left, right);
  EXPECT_EQ(left, Of(all));
}

TEST(HistogramTest, CountedAddEqualsManyAdds) {
  Histogram histogram;
  histogram.Add(77, 3);
  histogram.Add(99, 0);
  EXPECT_EQ(histogram, Of(std::vector<std::int64_t>{77, 77, 77}));
}

TEST(HistogramBytesTest, EmptyAndExtremeSurvive) {
  for (const std::vector<std::int64_t>& values :
       {std::vector<std::int64_t>{}, {kLeast}, {kMost}, {kLeast, kMost, 0}, RandomValues(9, 500)}) {
    const Histogram histogram = Of(values);
    auto decoded = Histogram::Decode(histogram.Encode());
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(*decoded, histogram);
  }
}

TEST(HistogramBytesTest, EveryCutIsRefused) {
  const Bytes bytes = Of(RandomValues(9, 50)).Encode();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Histogram::Decode(std::span(bytes).first(size)).ok()) << size;
  }
}

TEST(HistogramBytesTest, EveryFlippedBitIsRefusedOrDecodes) {
  Bytes bytes = Of(RandomValues(9, 20)).Encode();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    auto decoded = Histogram::Decode(bytes);
    if (decoded.ok()) {
      EXPECT_GE(decoded->AtRank(1), decoded->min());
    }
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
}

TEST(HistogramBytesTest, LeastValueOutsideItsBucketIsRefused) {
  Bytes bytes = PageExample("formats/codec.md", "histogram");
  bytes[2] = std::byte{0x07};
  auto decoded = Histogram::Decode(bytes);
  ASSERT_NE(decoded.error(), nullptr);
  EXPECT_EQ(decoded.error()->code(), Code::kCorrupt);
}

TEST(HistogramBytesTest, CountThatCannotBeIsRefused) {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.U8(1);
  writer.Varint(1);
  writer.Signed(5);
  writer.Signed(5);
  writer.Signed(5);
  writer.Varint(~std::uint64_t{0});
  EXPECT_FALSE(Histogram::Decode(bytes).ok());
}

}  // namespace
}  // namespace tacho
