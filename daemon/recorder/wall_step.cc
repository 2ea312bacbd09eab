// A timer that only a step of the wall clock ends.
#include "daemon/recorder/wall_step.h"

#include <cstdint>
#include <limits>
#include <sys/timerfd.h>
#include <unistd.h>

namespace tacho {

WallStep::WallStep() : timer_(::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK)) {
  Arm();
}

WallStep::~WallStep() {
  if (timer_ >= 0) ::close(timer_);
}

void WallStep::Rearm() {
  std::uint64_t expiries = 0;
  // Fails with ECANCELED after a step, ignored since that is the news itself.
  (void)!::read(timer_, &expiries, sizeof expiries);
  Arm();
}

// Due at the end of time: only a step of the clock ends it.
void WallStep::Arm() {
  itimerspec never{};
  never.it_value.tv_sec = std::numeric_limits<std::int32_t>::max();
  ::timerfd_settime(timer_, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, nullptr);
}

}  // namespace tacho
