// Sees that a sweep stands still, parks the source and takes it back later.
#include "daemon/recorder/sampler_pool.h"

#include <algorithm>
#include <utility>

namespace tacho {
namespace {

// A source that is held up again and again is tried ever more rarely, down to every ten minutes.
constexpr std::uint64_t kMostPatience = 600;

std::vector<std::unique_ptr<SourceSlot>> InOrderOfGroup(
    std::vector<std::unique_ptr<SourceSlot>> slots) {
  std::ranges::stable_sort(slots, {}, [](const auto& slot) { return slot->group; });
  return slots;
}

}  // namespace

SamplerPool::SamplerPool(const Clock& clock, std::vector<std::unique_ptr<SourceSlot>> slots,
                         Nanos period, std::size_t ring_capacity)
    : clock_(clock),
      slots_(InOrderOfGroup(std::move(slots))),
      period_(period),
      ring_capacity_(ring_capacity) {}

SamplerPool::~SamplerPool() {
  Stop();
}

void SamplerPool::Start() {
  if (slots_.empty()) return;
  active_ = MakeThread();
  active_->Start();
}

void SamplerPool::Stop() {
  if (active_) active_->Stop();
}

bool SamplerPool::has_ended() const {
  const auto has_no_thread = [](const Parked& parked) {
    return parked.thread == nullptr || parked.thread->has_ended();
  };
  return (!active_ || active_->has_ended()) && std::ranges::all_of(parked_, has_no_thread);
}

std::vector<SamplerPool::Change> SamplerPool::Watch() {
  std::vector<Change> changes;
  if (!active_) return changes;
  std::erase_if(parked_, [&](Parked& parked) {
    if (!Advance(parked)) return false;
    changes.push_back({.source = slots_[parked.slot]->name, .is_lost = false});
    return true;
  });
  const Sampler::Place place = active_->sampler().place();
  const bool is_held_up = place != Sampler::kBetween && place == last_place_;
  if (is_held_up && active_->sampler().Retire(place)) {
    Park(Sampler::SlotAt(place), changes);
    last_place_ = Sampler::kBetween;
  } else {
    last_place_ = place;
  }
  return changes;
}

SamplingCounters SamplerPool::counters() const {
  SamplingCounters sum = ended_;
  const auto add = [&](const SamplerThread& thread) {
    sum.sweeps += thread.sweeps();
    sum.missed += thread.missed();
    sum.dropped += thread.dropped();
  };
  for (const Parked& parked : parked_) {
    if (parked.thread) add(*parked.thread);
  }
  if (active_) {
    add(*active_);
    sum.duration = active_->duration();
  }
  sum.parked = parked_.size();
  return sum;
}

std::unique_ptr<SamplerThread> SamplerPool::MakeThread() const {
  return std::make_unique<SamplerThread>(clock_, slots_, period_, ring_capacity_);
}

void SamplerPool::Park(std::size_t slot, std::vector<Change>& changes) {
  slots_[slot]->is_parked.store(true, std::memory_order_release);
  const auto keep = [&](const Row& row) { leftover_.push_back(row); };
  active_->Drain(keep);
  active_->Close(keep);
  active_->Stop();

  auto parked = std::ranges::find(parked_, slot, &Parked::slot);
  if (parked == parked_.end()) {
    changes.push_back({.source = slots_[slot]->name, .is_lost = true});
    parked_.push_back({.slot = slot, .thread = nullptr});
    parked = std::prev(parked_.end());
  } else {
    parked->patience = std::min(parked->patience * 2, kMostPatience);
  }
  parked->is_on_trial = false;
  parked->thread = std::exchange(active_, MakeThread());
  active_->Start();
}

bool SamplerPool::Advance(Parked& parked) {
  SourceSlot& slot = *slots_[parked.slot];
  if (parked.is_on_trial) {
    return slot.sampled.load(std::memory_order_relaxed) > parked.sampled_before;
  }
  if (parked.thread) {
    if (!parked.thread->has_ended()) return false;
    Count(*parked.thread);
    parked.thread.reset();
    parked.looks_left = parked.patience;
    return false;
  }
  if (--parked.looks_left > 0) return false;
  parked.is_on_trial = true;
  parked.sampled_before = slot.sampled.load(std::memory_order_relaxed);
  slot.is_parked.store(false, std::memory_order_release);
  return false;
}

void SamplerPool::Count(const SamplerThread& ended) {
  ended_.sweeps += ended.sweeps();
  ended_.missed += ended.missed();
  ended_.dropped += ended.dropped();
}

}  // namespace tacho
