// Feeds systemd's watchdog from a program's loop, while there is progress.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "common/notify.h"
#include "common/scheduler.h"

namespace tacho {

// Loop thread: a loop that hangs feeds nothing. Does nothing where no watchdog is set.
class Watchdog {
 public:
  // `is_alive` is asked at each beat, the first one at once; where it says no, the beat is left
  // out.
  Watchdog(Scheduler& loop, std::function<bool()> is_alive)
      : loop_(loop), is_alive_(std::move(is_alive)), interval_(WatchdogInterval() / 3) {
    if (interval_ > Nanos::zero()) Beat();
  }

 private:
  void Beat() {
    if (is_alive_()) NotifyAlive();
    timer_ = loop_.After(interval_, [this] { Beat(); });
  }

  Scheduler& loop_;
  const std::function<bool()> is_alive_;
  const Nanos interval_;
  std::unique_ptr<Scheduler::Timer> timer_;
};

}  // namespace tacho
