// Log-linear buckets in an ordered map from bucket number to count.
#include "common/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "common/bytes.h"

namespace tacho {
namespace {

constexpr std::uint8_t kVersion = 1;
// Of the magnitude 2^63: the last bucket there is.
constexpr std::int64_t kLastBucket = 128 + 56 * 128;
// No honest histogram counts more; the sum of 2^16 such counts still fits.
constexpr std::uint64_t kMostReadings = std::uint64_t{1} << 48;

Status Corrupt(const ByteReader& reader, const std::string& what) {
  return {Code::kCorrupt, "histogram: " + what + " at byte " + std::to_string(reader.offset())};
}

}  // namespace

std::int64_t Histogram::MidpointOf(std::int32_t bucket) {
  const auto number = static_cast<std::uint64_t>(bucket < 0 ? -bucket : bucket);
  std::uint64_t magnitude = number;
  if (number >= kSubBuckets) {
    const std::uint64_t exponent = (number - kSubBuckets) / kSubBuckets;
    const std::uint64_t sub = (number - kSubBuckets) % kSubBuckets;
    magnitude = ((kSubBuckets + sub) << exponent) + ((std::uint64_t{1} << exponent) >> 1);
  }
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (bucket < 0 && magnitude > kMost) return std::numeric_limits<std::int64_t>::min();
  const auto value = static_cast<std::int64_t>(std::min(magnitude, kMost));
  return bucket < 0 ? -value : value;
}

void Histogram::Add(std::int64_t value, std::uint64_t count) {
  AddToBucket(BucketOf(value), count, value, value);
}

void Histogram::AddToBucket(std::int32_t bucket, std::uint64_t count, std::int64_t low,
                            std::int64_t high) {
  if (count == 0) return;
  min_ = count_ == 0 ? low : std::min(min_, low);
  max_ = count_ == 0 ? high : std::max(max_, high);
  count_ += count;
  buckets_[bucket] += count;
}

void Histogram::Merge(const Histogram& other) {
  if (other.count_ == 0) return;
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  for (const auto& [bucket, count] : other.buckets_) {
    buckets_[bucket] += count;
  }
}

std::int64_t Histogram::AtRank(std::uint64_t k) const {
  std::uint64_t seen = 0;
  for (const auto& [bucket, count] : buckets_) {
    seen += count;
    if (seen >= k) return std::clamp(MidpointOf(bucket), min_, max_);
  }
  return max_;
}

std::int64_t Histogram::Quantile(double q) const {
  const double rank = std::ceil(q * static_cast<double>(count_));
  return AtRank(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count_));
}

std::vector<std::byte> Histogram::Encode() const {
  Bytes out;
  ByteWriter writer(out);
  writer.U8(kVersion);
  writer.Varint(buckets_.size());
  if (buckets_.empty()) return out;
  writer.Signed(min_);
  writer.Signed(max_);
  std::int32_t previous = 0;
  for (const auto& [bucket, count] : buckets_) {
    writer.Signed(bucket - previous);
    writer.Varint(count);
    previous = bucket;
  }
  return out;
}

Status Histogram::ReadBuckets(ByteReader& reader, std::uint64_t size) {
  std::int64_t bucket = 0;
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::int64_t step = reader.Signed();
    const std::uint64_t count = reader.Varint();
    if (!reader.ok()) return Corrupt(reader, "it is cut short");
    // The first is a step from 0; no sum of two that pass here overflows.
    const std::int64_t least_step = i == 0 ? -kLastBucket : 1;
    if (step < least_step || step > 2 * kLastBucket)
      return Corrupt(reader, "a bucket out of order");
    bucket += step;
    if (bucket > kLastBucket) return Corrupt(reader, "no such bucket");
    if (count == 0 || count > kMostReadings) return Corrupt(reader, "a count out of range");
    count_ += count;
    if (count_ > kMostReadings) return Corrupt(reader, "too many readings");
    buckets_.emplace_hint(buckets_.end(), static_cast<std::int32_t>(bucket), count);
  }
  return {};
}

Result<Histogram> Histogram::Decode(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (reader.U8() != kVersion) return Corrupt(reader, "unknown version");
  const std::uint64_t size = reader.Varint();
  Histogram histogram;
  if (size > 0) {
    histogram.min_ = reader.Signed();
    histogram.max_ = reader.Signed();
  }
  TACHO_TRY(histogram.ReadBuckets(reader, size));
  if (!reader.ok()) return Corrupt(reader, "it is cut short");
  if (reader.left() > 0) return Corrupt(reader, "bytes after the end");
  if (size > 0 && (histogram.buckets_.begin()->first != BucketOf(histogram.min_) ||
                   histogram.buckets_.rbegin()->first != BucketOf(histogram.max_))) {
    return Corrupt(reader, "least or greatest value outside its bucket");
  }
  return histogram;
}

}  // namespace tacho
