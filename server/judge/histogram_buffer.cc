#include "server/judge/histogram_buffer.h"

#include <algorithm>
#include <bit>

namespace tacho {
namespace {

constexpr std::uint64_t kExact = 128;
constexpr int kSubBits = 8;
// Knuth's multiplier: spreads neighbouring cells over the table.
constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15u;
constexpr int kSlotBits = 9;

// A cell never straddles two buckets of a histogram: below 128 every value has its own, above, each
// power of two is cut into 256 where the histogram cuts it into 128.
std::uint64_t CellOf(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
  const std::uint64_t sign = value < 0 ? std::uint64_t{1} << 63 : 0;
  if (magnitude < kExact) return magnitude | sign;
  const int width = static_cast<int>(std::bit_width(magnitude));
  const int shift = std::max(0, width - 1 - kSubBits);
  return (magnitude >> shift) | static_cast<std::uint64_t>(width) << 32 | sign;
}

}  // namespace

HistogramBuffer::Slot& HistogramBuffer::SlotOf(std::int64_t value) {
  const std::uint64_t cell = CellOf(value);
  std::size_t at = static_cast<std::size_t>((cell * kSpread) >> (64 - kSlotBits));
  while (slots_[at].count > 0 && slots_[at].cell != cell)
    at = (at + 1) % kSlots;
  slots_[at].cell = cell;
  return slots_[at];
}

void HistogramBuffer::Add(std::int64_t value) {
  low_ = readings_ == 0 ? value : std::min(low_, value);
  high_ = readings_ == 0 ? value : std::max(high_, value);
  ++readings_;
  Slot& slot = SlotOf(value);
  if (slot.count == 0) {
    slot.value = value;
    ++used_;
  }
  ++slot.count;
  // 2^31 of one value are as good a moment as a full table.
  if (used_ >= kMostUsed || slot.count > std::uint32_t{1} << 31) Flush();
}

void HistogramBuffer::Flush() {
  if (readings_ == 0) return;
  // The extremes enter as themselves, so that those of the histogram stay exact. Both are found
  // before a count changes: a slot that falls to 0 would cut the search for another short.
  Slot& low = SlotOf(low_);
  Slot& high = SlotOf(high_);
  histogram_.Add(low_);
  --low.count;
  if (readings_ > 1) {
    histogram_.Add(high_);
    --high.count;
  }
  for (Slot& slot : slots_) {
    histogram_.Add(slot.value, slot.count);
    slot = {};
  }
  used_ = 0;
  readings_ = 0;
}

}  // namespace tacho
