// Turns boot time into wall time with the pairs that a boot brought, forwards and backwards. Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "common/time.h"

namespace tacho {

struct WallEstimate {
  std::optional<WallTime> wall;  // absent where no clock can be believed
  ClockTrust trust = ClockTrust::kNever;
};

// By the best-trusted pairs (NTP and GPS alike, then the server's, then an unchecked RTC): the
// newest of them at or before `at`, else the first after it. So a sample from before the clock was
// set moves to the right date as soon as one pair can be believed, and no step changes an order.
WallEstimate WallOf(BootTime at, std::span<const ClockPair> pairs);

std::string_view NameOf(ClockTrust trust);

}  // namespace tacho
