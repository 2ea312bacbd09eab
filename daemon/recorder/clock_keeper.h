// Decides when a pair of clocks is worth a record, and sees the wall clock step.
#pragma once

#include <optional>

#include "common/record.h"
#include "common/time.h"

namespace tacho {

// Loop thread.
class ClockKeeper {
 public:
  explicit ClockKeeper(const Clock& clock) : clock_(clock) {}

  struct Note {
    std::optional<ClockPair> pair;  // to be recorded now
    std::optional<Event> stepped;   // why, if the wall clock stepped
  };
  // At each tick and at each step the kernel tells of. Gives a pair at the first call, each minute,
  // when the wall clock moved against the boot clock by more than kStep, and when its trust
  // changed.
  Note Look();

  // The pair last given. Requires: Look was called.
  const ClockPair& last() const { return *last_; }

  static constexpr Nanos kEvery = std::chrono::minutes(1);
  // Far more than slewing does in a minute (30 ms), far less than anyone would set by hand.
  static constexpr Nanos kStep = std::chrono::milliseconds(500);

 private:
  const Clock& clock_;
  std::optional<ClockPair> last_;
};

}  // namespace tacho
