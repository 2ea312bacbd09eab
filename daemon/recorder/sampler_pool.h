// Keeps the sampling going when a read does not return.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "daemon/recorder/sampler_thread.h"

namespace tacho {

struct SamplingCounters {
  std::uint64_t sweeps = 0;
  std::uint64_t missed = 0;
  std::uint64_t dropped = 0;
  std::uint64_t parked = 0;  // sources parked now
  Nanos duration{};
};

// Loop thread. One sampler runs over all sources; where a source holds it up for a whole second,
// the source is parked, a spare sampler goes on without it, and the held-up thread ends when its
// read returns. There are never more held-up threads than sources.
class SamplerPool {
 public:
  // A source was lost to a read that does not return, or is back in the sweep.
  struct Change {
    std::string source;
    bool is_lost = false;
  };

  // `ring_capacity` readings wait for the loop thread at most.
  SamplerPool(const Clock& clock, std::vector<std::unique_ptr<SourceSlot>> slots, Nanos period,
              std::size_t ring_capacity);
  // Waits for reads that have not returned.
  ~SamplerPool();

  void Start();
  // Asks all threads to end.
  void Stop();
  bool has_ended() const;

  // Each second: looks whether the sweep moved on and what became of the parked.
  std::vector<Change> Watch();

  // Calls `take(const Row&)` for each row that arrived.
  template <class Take>
  void Drain(Take&& take) {
    for (const Row& row : leftover_) {
      take(row);
    }
    leftover_.clear();
    if (active_) active_->Drain(take);
  }
  // As Drain, and rows that were begun end too: after Stop.
  template <class Take>
  void DrainAll(Take&& take) {
    Drain(take);
    if (active_) active_->Close(take);
  }

  SamplingCounters counters() const;
  const std::vector<std::unique_ptr<SourceSlot>>& slots() const { return slots_; }

 private:
  // A source that holds a thread, or held one and is not yet trusted again.
  struct Parked {
    std::size_t slot = 0;
    std::unique_ptr<SamplerThread> thread;  // null once its read returned
    std::uint64_t patience = 1;             // looks to wait after the read returned
    std::uint64_t looks_left = 0;
    bool is_on_trial = false;
    std::uint64_t sampled_before = 0;  // the trial
  };

  std::unique_ptr<SamplerThread> MakeThread() const;
  void Park(std::size_t slot, std::vector<Change>& changes);
  // Moves a parked source one look further; true when it is back for good.
  bool Advance(Parked& parked);
  void Count(const SamplerThread& ended);

  const Clock& clock_;
  const std::vector<std::unique_ptr<SourceSlot>> slots_;
  const Nanos period_;
  const std::size_t ring_capacity_;
  std::vector<Parked> parked_;
  std::vector<Row> leftover_;  // of samplers that were retired
  std::unique_ptr<SamplerThread> active_;
  Sampler::Place last_place_ = Sampler::kBetween;
  SamplingCounters ended_;  // of the threads that are no more
};

}  // namespace tacho
