// A timer of the boot clock and an event descriptor, waited for together.
#include "daemon/recorder/boot_alarm.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <system_error>
#include <unistd.h>

namespace tacho {
namespace {

int Checked(int descriptor, const char* what) {
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
  return descriptor;
}

timespec SpecOf(BootTime at) {
  constexpr std::int64_t kNanos = 1'000'000'000;
  return {.tv_sec = Count(at) / kNanos, .tv_nsec = Count(at) % kNanos};
}

}  // namespace

BootAlarm::BootAlarm()
    : timer_(Checked(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK),
                     "create a timer of the boot clock")),
      stop_(Checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "create an event descriptor")) {}

BootAlarm::~BootAlarm() {
  ::close(timer_);
  ::close(stop_);
}

bool BootAlarm::WaitUntil(BootTime at) {
  // Setting the timer also clears its last expiry: no read is needed.
  const itimerspec spec = {.it_interval = {}, .it_value = SpecOf(at)};
  ::timerfd_settime(timer_, TFD_TIMER_ABSTIME, &spec, nullptr);
  std::array<pollfd, 2> watched = {pollfd{.fd = timer_, .events = POLLIN, .revents = 0},
                                   pollfd{.fd = stop_, .events = POLLIN, .revents = 0}};
  while (::poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
  }
  return watched[1].revents == 0;
}

void BootAlarm::Stop() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, that is stopped, ignored since that is what was asked.
  (void)!::write(stop_, &one, sizeof one);
}

}  // namespace tacho
