// A source in its place in the sweep.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "collector/source.h"

namespace tacho {

// The source belongs to the one sampler that runs; the atomics are for everyone to read.
struct SourceSlot {
  SourceSlot(std::string name_, GroupId group_, Nanos period_, std::unique_ptr<Source> source_)
      : name(std::move(name_)), group(group_), period(period_), source(std::move(source_)) {}

  const std::string name;
  const GroupId group;
  const Nanos period;
  const std::unique_ptr<Source> source;

  BootTime next_due;  // the sampler's own; handed over with the source

  // Set by the loop thread while a read of this source does not return.
  std::atomic<bool> is_parked{false};
  std::atomic<std::uint64_t> sampled{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<Code> last_code{Code::kOk};
};

}  // namespace tacho
