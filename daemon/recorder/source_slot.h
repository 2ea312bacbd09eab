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
  SourceSlot(std::string its_name, GroupId its_group, Nanos its_period,
             std::unique_ptr<Source> its_source)
      : name(std::move(its_name)),
        group(its_group),
        period(its_period),
        source(std::move(its_source)) {}

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
