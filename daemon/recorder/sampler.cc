// The sweep, and the one atomic word by which it can be taken off.
#include "daemon/recorder/sampler.h"

#include "daemon/recorder/deadlines.h"

namespace tacho {

Sampler::Sampler(std::span<const std::unique_ptr<SourceSlot>> slots, ReadingRing& ring)
    : slots_(slots), sink_(ring, GroupId{}) {}

bool Sampler::Sweep(BootTime at) {
  ++sweep_;
  sink_.Begin(at);
  bool was_read = false;  // of the group that the sink is turned to
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    SourceSlot& slot = *slots_[i];
    if (i > 0 && slot.group != slots_[i - 1]->group) {
      if (was_read) sink_.End();
      was_read = false;
    }
    if (slot.is_parked.load(std::memory_order_acquire) || at < slot.next_due) continue;
    if (!MoveTo((sweep_ << 16) | (i + 1))) return false;
    sink_.TurnTo(slot.group);
    slot.next_due = NextMultiple(at, slot.period);
    Read(slot);
    was_read = true;
    // Left at once, so that a retired sampler says no more and a parked source is not looked at.
    if (!MoveTo(kBetween)) return false;
  }
  if (was_read) sink_.End();
  return true;
}

bool Sampler::Retire(Place place) {
  return place_.compare_exchange_strong(place, kRetired, std::memory_order_acq_rel);
}

bool Sampler::MoveTo(Place next) {
  Place expected = here_;
  if (!place_.compare_exchange_strong(expected, next, std::memory_order_acq_rel)) return false;
  here_ = next;
  return true;
}

void Sampler::Read(SourceSlot& slot) {
  const Status status = slot.source->Sample(sink_);
  slot.last_code.store(status.code(), std::memory_order_relaxed);
  slot.sampled.fetch_add(1, std::memory_order_relaxed);
  if (!status.ok()) slot.failed.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace tacho
