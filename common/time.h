// The two clocks of the house, as types that do not mix.
#pragma once

#include <chrono>
#include <cstdint>

namespace tacho {

using Nanos = std::chrono::nanoseconds;

// CLOCK_BOOTTIME of one boot of one device. Never steps; means nothing on another boot.
struct BootClock {
  using duration = Nanos;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
};
using BootTime = BootClock::time_point;

// UTC as the device believes it now. May step at any moment; never subtract two of them.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Nanos>;

constexpr std::int64_t Count(BootTime at) {
  return at.time_since_epoch().count();
}
constexpr std::int64_t Count(WallTime at) {
  return at.time_since_epoch().count();
}
constexpr BootTime BootTimeOf(std::int64_t nanos) {
  return BootTime(Nanos(nanos));
}
constexpr WallTime WallTimeOf(std::int64_t nanos) {
  return WallTime(Nanos(nanos));
}

// How far the wall clock of a pair may be believed, from worst to best.
enum class ClockTrust : std::uint8_t {
  kNever = 0,   // nobody ever set it (1970, or the build date of the image)
  kRtc = 1,     // a battery-backed clock, unchecked
  kServer = 2,  // the fleet server's clock, exchanged in Hello/Welcome
  kNtp = 3,     // the kernel says that it is synchronised
  kGps = 4,     // GPS or PTP
};

// Both clocks read back to back: the only bridge between them.
struct ClockPair {
  BootTime boot;
  WallTime wall;
  ClockTrust trust = ClockTrust::kNever;
  bool operator==(const ClockPair&) const = default;
};

class Clock {
 public:
  virtual ~Clock() = default;
  // Any thread.
  virtual BootTime Boot() const = 0;
  virtual ClockPair Pair() const = 0;
};

}  // namespace tacho
