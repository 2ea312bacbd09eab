// The instants at which sweeps are due: whole multiples of the period, so that nothing drifts.
#pragma once

#include <cstdint>

#include "common/time.h"

namespace tacho {

// The first multiple of `period` after `at`.
constexpr BootTime NextMultiple(BootTime at, Nanos period) {
  return BootTimeOf((Count(at) / period.count() + 1) * period.count());
}

class Deadlines {
 public:
  Deadlines(BootTime now, Nanos period) : period_(period), next_(NextMultiple(now, period)) {}

  BootTime next() const { return next_; }
  // Says that the sweep due at next() began at `now`, and moves on to the first deadline after it.
  // Gives the number of deadlines in between: they are missed for good, never made up for.
  std::uint64_t Pass(BootTime now) {
    const BootTime due = next_;
    next_ = now < due ? due + period_ : NextMultiple(now, period_);
    return static_cast<std::uint64_t>((next_ - due) / period_) - 1;
  }

 private:
  const Nanos period_;
  BootTime next_;
};

}  // namespace tacho
