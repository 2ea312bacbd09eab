// A mergeable log-linear histogram of integers: quantiles of many seconds from their sums.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "common/status.h"

namespace tacho {

class ByteReader;

// Buckets: magnitudes below 128 are exact; above, each power of two is cut into 128 (relative error
// of a bucket's midpoint <= 1/256). Negative values mirror. Merging is adding, so order never
// matters.
class Histogram {
 public:
  void Add(std::int64_t value, std::uint64_t count = 1);
  void Merge(const Histogram& other);

  // For who counts readings by bucket before they come here: `count` of one bucket, whose least and
  // greatest lie in [low, high]. Once all have come, [low, high] must be the extremes of all.
  void AddToBucket(std::int32_t bucket, std::uint64_t count, std::int64_t low, std::int64_t high);
  // The bucket's number: the magnitude's, negative for a negative value.
  static std::int32_t BucketOf(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    std::uint64_t bucket = value < 0 ? 0 - bits : bits;
    if (bucket >= kSubBuckets) {
      const int exponent = static_cast<int>(std::bit_width(bucket)) - 1 - kSubBits;
      bucket = static_cast<std::uint64_t>(exponent) * kSubBuckets + (bucket >> exponent);
    }
    const auto number = static_cast<std::int32_t>(bucket);
    return value < 0 ? -number : number;
  }

  std::uint64_t count() const { return count_; }
  std::int64_t min() const { return min_; }  // Requires: count() > 0.
  std::int64_t max() const { return max_; }  // Requires: count() > 0.

  // Value of the k-th smallest reading (k from 1 to count()), within the bucket's error, never
  // outside [min, max]. Requires: count() > 0.
  std::int64_t AtRank(std::uint64_t k) const;
  // AtRank(ceil(q * count())). Requires: 0 <= q <= 1, count() > 0.
  std::int64_t Quantile(double q) const;

  // Ordered by bucket, deltas and counts as varints (docs/formats/codec.md, "histogram").
  std::vector<std::byte> Encode() const;
  static Result<Histogram> Decode(std::span<const std::byte> bytes);

  bool operator==(const Histogram&) const = default;

 private:
  static constexpr int kSubBits = 7;  // 128 buckets per power of two
  static constexpr std::uint64_t kSubBuckets = std::uint64_t{1} << kSubBits;

  static std::int64_t MidpointOf(std::int32_t bucket);
  Status ReadBuckets(ByteReader& reader, std::uint64_t size);

  std::map<std::int32_t, std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
};

}  // namespace tacho
