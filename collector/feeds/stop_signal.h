// Lets a thread wait for input, and be told to stop meanwhile.
#pragma once

#include <span>

#include "common/time.h"

namespace tacho {

class StopSignal {
 public:
  enum class Woke { kInput, kStop, kTimeout };
  static constexpr Nanos kForEver = Nanos::max();
  static constexpr std::size_t kMaxDescriptors = 3;

  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  // Any thread. The signal stays up until Lower().
  void Raise();
  void Lower();

  // Waits until one of `descriptors` has input or has ended, the signal is up (which comes first),
  // or `limit` is over. Those below 0 are not looked at. Requires: at most kMaxDescriptors.
  Woke Wait(std::span<const int> descriptors, Nanos limit) const;
  // False if the signal came first.
  bool Sleep(Nanos limit) const { return Wait({}, limit) == Woke::kTimeout; }
  bool is_up() const { return Wait({}, Nanos{}) == Woke::kStop; }

 private:
  int event_;
};

}  // namespace tacho
