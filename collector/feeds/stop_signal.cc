// Lets a thread wait for input, and be told to stop meanwhile.
#include "collector/feeds/stop_signal.h"

#include <array>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace tacho {
namespace {

// Rounds up, so that a short wait is a wait.
int MillisFor(Nanos limit) {
  constexpr auto kLongest = std::chrono::hours(24);
  if (limit == StopSignal::kForEver) return -1;
  const auto bounded = std::min<Nanos>(limit, kLongest);
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(bounded).count());
}

}  // namespace

StopSignal::StopSignal() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

StopSignal::~StopSignal() {
  if (event_ >= 0) ::close(event_);
}

void StopSignal::Raise() {
  const std::uint64_t one = 1;
  // Fails only when the signal is up already, which is ignored since that is what we want.
  [[maybe_unused]] const ssize_t written = ::write(event_, &one, sizeof one);
}

void StopSignal::Lower() {
  std::uint64_t count = 0;
  // Fails only when the signal is down already, which is ignored since that is what we want.
  [[maybe_unused]] const ssize_t size = ::read(event_, &count, sizeof count);
}

StopSignal::Woke StopSignal::Wait(std::span<const int> descriptors, Nanos limit) const {
  assert(descriptors.size() <= kMaxDescriptors);
  std::array<pollfd, kMaxDescriptors + 1> watched{};
  nfds_t count = 0;
  watched[count++] = {.fd = event_, .events = POLLIN, .revents = 0};
  for (const int descriptor : descriptors) {
    watched[count++] = {.fd = descriptor, .events = POLLIN, .revents = 0};
  }
  const int ready = ::poll(watched.data(), count, MillisFor(limit));
  if (ready < 0) return errno == EINTR ? Woke::kInput : Woke::kTimeout;
  if (watched[0].revents != 0) return Woke::kStop;
  return ready > 0 ? Woke::kInput : Woke::kTimeout;
}

}  // namespace tacho
