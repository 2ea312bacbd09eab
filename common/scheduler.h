// The loop thread, seen by everything that runs on it.
#pragma once

#include <functional>
#include <memory>

#include "common/time.h"

namespace tacho {

// Asio or a gRPC completion queue stands behind it in the programs; a hand-cranked clock in tests.
class Scheduler {
 public:
  // Owning a Timer keeps the task due; destroying it cancels the task.
  class Timer {
   public:
    virtual ~Timer() = default;
  };

  virtual ~Scheduler() = default;
  // Any thread. Runs `task` on the loop, never inside this call.
  virtual void Post(std::function<void()> task) = 0;
  // Loop thread.
  [[nodiscard]] virtual std::unique_ptr<Timer> After(Nanos delay, std::function<void()> task) = 0;
};

}  // namespace tacho
