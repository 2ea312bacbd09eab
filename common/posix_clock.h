// The kernel's clocks. Named only by main.cc files.
#pragma once

#include "common/time.h"

namespace tacho {

class PosixClock final : public Clock {
 public:
  BootTime Boot() const override;
  // Trust is kNtp when adjtimex says that the clock is synchronised, kNever before 2020, else kRtc.
  ClockPair Pair() const override;
};

}  // namespace tacho
