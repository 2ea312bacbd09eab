// The kernel's clocks by clock_gettime and adjtimex.
#include "common/posix_clock.h"

#include <sys/timex.h>
#include <time.h>

namespace tacho {
namespace {

// 2020-01-01: no build of this program is older, so a clock before it was never set.
constexpr std::int64_t kFirstCredible = 1'577'836'800'000'000'000;

std::int64_t Read(clockid_t clock) {
  timespec now{};
  // Its answer is ignored since both clocks exist on every kernel this runs on.
  (void)clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

ClockTrust TrustIn(std::int64_t wall) {
  if (wall < kFirstCredible) return ClockTrust::kNever;
  timex state{};  // modes = 0 reads only
  // A unit with ProtectClock= may not even read it: then nothing is known beyond the RTC.
  const int answer = adjtimex(&state);
  if (answer < 0 || answer == TIME_ERROR) return ClockTrust::kRtc;
  return (state.status & STA_UNSYNC) == 0 ? ClockTrust::kNtp : ClockTrust::kRtc;
}

}  // namespace

BootTime PosixClock::Boot() const {
  return BootTimeOf(Read(CLOCK_BOOTTIME));
}

ClockPair PosixClock::Pair() const {
  // Being preempted between two reads would shear the pair: of three tries the tightest counts.
  constexpr int kTries = 3;
  std::int64_t boot = 0;
  std::int64_t wall = 0;
  std::int64_t tightest = 0;
  for (int i = 0; i < kTries; ++i) {
    const std::int64_t before = Read(CLOCK_BOOTTIME);
    const std::int64_t between = Read(CLOCK_REALTIME);
    const std::int64_t spread = Read(CLOCK_BOOTTIME) - before;
    if (i > 0 && spread >= tightest) continue;
    tightest = spread;
    boot = before + spread / 2;
    wall = between;
  }
  return {BootTimeOf(boot), WallTimeOf(wall), TrustIn(wall)};
}

}  // namespace tacho
