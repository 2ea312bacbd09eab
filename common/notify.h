// What systemd wants to hear of a service: ready, stopping, alive, and one line of status.
#pragma once

#include <string_view>

#include "common/time.h"

namespace tacho {

// Each does nothing where NOTIFY_SOCKET is unset. Any thread.
void NotifyReady();
void NotifyReloading();
void NotifyStopping();
void NotifyStatus(std::string_view line);
void NotifyAlive();
// Interval within which NotifyAlive is due; zero when no watchdog is set.
Nanos WatchdogInterval();

}  // namespace tacho
