// Decides whether the recorder is truly alive: what systemd's watchdog is fed with.
#pragma once

#include <cstdint>
#include <optional>

#include "common/time.h"

namespace tacho {

// What must go on for the recorder to be of use.
struct Progress {
  std::uint64_t sweeps = 0;
  bool has_sources = false;  // else no sweep is expected
  std::optional<BootTime> spool_busy_since;
};

// Loop thread: to be asked from a tick, so that a stuck loop answers nothing at all.
class Liveness {
 public:
  // `sweep_within` must be longer than the sampler's period and the time it takes to replace it.
  Liveness(Nanos sweep_within, Nanos spool_within)
      : sweep_within_(sweep_within), spool_within_(spool_within) {}

  bool IsAlive(const Progress& progress, BootTime now) {
    if (!sweep_at_ || progress.sweeps != sweeps_ || !progress.has_sources) sweep_at_ = now;
    sweeps_ = progress.sweeps;
    const bool is_sweeping = now - *sweep_at_ <= sweep_within_;
    const bool is_spooling =
        !progress.spool_busy_since || now - *progress.spool_busy_since <= spool_within_;
    return is_sweeping && is_spooling;
  }

 private:
  const Nanos sweep_within_;
  const Nanos spool_within_;
  std::uint64_t sweeps_ = 0;
  std::optional<BootTime> sweep_at_;
};

}  // namespace tacho
