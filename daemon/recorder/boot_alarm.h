// Waits for an instant of the boot clock, or for the word to stop.
#pragma once

#include "common/time.h"

namespace tacho {

class BootAlarm {
 public:
  BootAlarm();
  ~BootAlarm();
  BootAlarm(const BootAlarm&) = delete;
  BootAlarm& operator=(const BootAlarm&) = delete;

  // One thread. True when `at` has come, suspend included; false once Stop was called.
  bool WaitUntil(BootTime at);
  // Any thread. Every wait, present and future, ends at once.
  void Stop();

 private:
  const int timer_;
  const int stop_;
};

}  // namespace tacho
