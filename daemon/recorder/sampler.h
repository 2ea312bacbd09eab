// Sweeps over the sources.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "daemon/recorder/ring_sink.h"
#include "daemon/recorder/source_slot.h"

namespace tacho {

// Sweep is the sampler thread's; the rest is the loop thread's. No lock, no allocation and no
// system call but those of the sources.
class Sampler {
 public:
  // Where a sampler is: kBetween sweeps, or a number that no other moment of it shares.
  using Place = std::uint64_t;
  static constexpr Place kBetween = 0;

  // `slots` are ordered by group and outlive the sampler.
  Sampler(std::span<const std::unique_ptr<SourceSlot>> slots, ReadingRing& ring);

  // Reads every source that is due and not parked, all under the one time `at`. False if the
  // sampler was retired meanwhile: it must touch no source any more.
  bool Sweep(BootTime at);

  Place place() const { return place_.load(std::memory_order_acquire); }
  // The slot being read at `place`. Requires: place != kBetween.
  static std::size_t SlotAt(Place place) { return (place & kSlotMask) - 1; }
  // Ends this sampler if it is still at `place`. Once true, it returns from the read it is in, if
  // ever, and touches nothing else.
  bool Retire(Place place);

 private:
  static constexpr Place kSlotMask = 0xFFFF;
  static constexpr Place kRetired = ~Place{0};

  bool MoveTo(Place next);
  void Read(SourceSlot& slot);

  const std::span<const std::unique_ptr<SourceSlot>> slots_;
  RingSink sink_;
  Place here_ = kBetween;  // the sampler thread's idea of place_
  std::uint64_t sweep_ = 0;
  std::atomic<Place> place_{kBetween};
};

}  // namespace tacho
