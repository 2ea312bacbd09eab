// Counts readings in a small table before they enter a histogram: a fold of many rows costs a
// tree's look-up per distinct bucket, not per reading.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/histogram.h"

namespace tacho {

class HistogramBuffer {
 public:
  // `histogram` is up to date after Flush.
  explicit HistogramBuffer(Histogram& histogram) : histogram_(histogram) {}

  // Requires: See is told of the value before Flush.
  void Count(std::int64_t value) {
    const std::int32_t bucket = Histogram::BucketOf(value);
    // Neighbouring buckets have neighbouring slots; of two that share one, the older moves out.
    Slot& slot = slots_[static_cast<std::uint32_t>(bucket) % kSlots];
    if (slot.bucket != bucket || slot.count == kMostCount) {
      MoveOut(slot);
      slot.bucket = bucket;
    }
    ++slot.count;
  }
  // The least and greatest of the values counted.
  void See(std::int64_t low, std::int64_t high) {
    low_ = std::min(low_, low);
    high_ = std::max(high_, high);
  }
  void Flush();

 private:
  struct Slot {
    std::int32_t bucket = 0;
    std::uint32_t count = 0;
  };
  static constexpr std::size_t kSlots = 256;
  static constexpr std::uint32_t kMostCount = std::numeric_limits<std::uint32_t>::max();

  void MoveOut(Slot& slot);

  Histogram& histogram_;
  std::array<Slot, kSlots> slots_{};
  std::int64_t low_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t high_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace tacho
