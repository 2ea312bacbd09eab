// Everything that measures, seen from the loop thread: the samplers and the feeds.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "daemon/recorder/feed_port.h"
#include "daemon/recorder/sampler_pool.h"

namespace tacho {

// Loop thread.
class Intake {
 public:
  explicit Intake(std::unique_ptr<SamplerPool> samplers) : samplers_(std::move(samplers)) {}

  void Add(std::unique_ptr<FeedPort> feed) { feeds_.push_back(std::move(feed)); }

  // A feed that cannot start is named in the log and left out; the rest goes on.
  void Start(BootTime now);
  // Ends all threads that can end; then everything they brought is drained.
  void Stop();
  // Whether no read is stuck, so that destruction does not wait.
  bool has_ended() const { return samplers_->has_ended(); }

  template <class Take>
  void Drain(Take&& take) {
    samplers_->Drain(take);
    for (const auto& feed : feeds_)
      feed->Drain(take);
  }
  template <class Take>
  void DrainAll(Take&& take) {
    samplers_->DrainAll(take);
    for (const auto& feed : feeds_)
      feed->DrainAll(take);
  }

  std::vector<SamplerPool::Change> Watch() { return samplers_->Watch(); }
  const SamplerPool& samplers() const { return *samplers_; }
  const std::vector<std::unique_ptr<FeedPort>>& feeds() const { return feeds_; }
  // Readings lost in rings.
  std::uint64_t dropped() const;

 private:
  const std::unique_ptr<SamplerPool> samplers_;
  std::vector<std::unique_ptr<FeedPort>> feeds_;
};

}  // namespace tacho
