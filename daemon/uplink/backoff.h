// How long to wait before the next attempt: doubling, with full jitter, so that a fleet does not
// come back all at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "common/time.h"

namespace tacho {

struct BackoffLimits {
  Nanos least = std::chrono::seconds(1);
  Nanos most = std::chrono::minutes(5);
};

class Backoff {
 public:
  Backoff(BackoffLimits limits, std::function<std::uint64_t()> random)
      : limits_(limits), random_(std::move(random)) {}

  // Anything up to the ceiling, which doubles with each call.
  Nanos Next() {
    const Nanos ceiling = ceiling_;
    ceiling_ = std::min(ceiling_ * 2, limits_.most);
    return Random(ceiling);
  }
  // For a failure that time alone will not mend: between half the ceiling's limit and the whole.
  Nanos NextHopeless() { return limits_.most / 2 + Random(limits_.most / 2); }
  void Reset() { ceiling_ = limits_.least; }

 private:
  Nanos Random(Nanos most) {
    return Nanos(
        static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most.count() + 1)));
  }

  const BackoffLimits limits_;
  const std::function<std::uint64_t()> random_;
  Nanos ceiling_ = limits_.least;
};

}  // namespace tacho
