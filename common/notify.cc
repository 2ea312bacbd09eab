// Messages to systemd by sd_notify.
#include "common/notify.h"

#include <string>
#include <time.h>

#include <systemd/sd-daemon.h>

namespace tacho {
namespace {

// What systemd cannot be told is ignored since the service runs the same without it.
void Notify(const std::string& state) {
  (void)sd_notify(/*unset_environment=*/0, state.c_str());
}

}  // namespace

void NotifyReady() {
  Notify("READY=1");
}

void NotifyReloading() {
  // Type=notify-reload wants to know when the reload began, on CLOCK_MONOTONIC.
  timespec now{};
  // Its answer is ignored since the clock exists on every kernel.
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t micros = std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
  Notify("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(micros));
}

void NotifyStopping() {
  Notify("STOPPING=1");
}

void NotifyStatus(std::string_view line) {
  // A line break would start another variable.
  Notify("STATUS=" + std::string(line.substr(0, line.find('\n'))));
}

void NotifyAlive() {
  Notify("WATCHDOG=1");
}

Nanos WatchdogInterval() {
  std::uint64_t micros = 0;
  if (sd_watchdog_enabled(/*unset_environment=*/0, &micros) <= 0) return Nanos{0};
  // systemd asks for a sign of life at half of its patience.
  return std::chrono::microseconds(static_cast<std::int64_t>(micros / 2));
}

}  // namespace tacho
