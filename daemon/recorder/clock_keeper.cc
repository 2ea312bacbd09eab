// Compares each pair of clocks with the last one given.
#include "daemon/recorder/clock_keeper.h"

#include <fmt/format.h>

namespace tacho {
namespace {

// How far the wall clock moved against the boot clock between two pairs.
Nanos Moved(const ClockPair& from, const ClockPair& to) {
  const Nanos wall = to.wall.time_since_epoch() - from.wall.time_since_epoch();
  return wall - (to.boot - from.boot);
}

Event Stepped(const ClockPair& pair, Nanos by) {
  const double seconds = std::chrono::duration<double>(by).count();
  return {.at = pair.boot,
          .severity = Severity::kInfo,
          .kind = "clock_stepped",
          .detail = fmt::format("the wall clock stepped by {:+.3f} s", seconds)};
}

}  // namespace

ClockKeeper::Note ClockKeeper::Look() {
  const ClockPair pair = clock_.Pair();
  Note note;
  if (last_) {
    const Nanos moved = Moved(*last_, pair);
    const bool has_stepped = moved > kStep || moved < -kStep;
    if (has_stepped) note.stepped = Stepped(pair, moved);
    const bool is_due = pair.boot - last_->boot >= kEvery || pair.trust != last_->trust;
    if (!has_stepped && !is_due) return note;
  }
  note.pair = pair;
  last_ = pair;
  return note;
}

}  // namespace tacho
