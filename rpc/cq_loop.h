// The uplink's one thread: timers, posted tasks and the network's events, in turn
// (docs/adr/0005).
#pragma once

#include <memory>

#include "common/scheduler.h"

namespace tacho {

// Run() returns after Stop(). One thread runs the loop; Post and Stop may be called from any.
// Destroying it ends what is still under way in the network, so it must outlive every link.
class CqLoop final : public Scheduler {
 public:
  CqLoop();
  ~CqLoop() override;

  void Run();
  void Stop();

  // In order of the calls, from whichever thread.
  void Post(std::function<void()> task) override;
  // Rounded up to a millisecond. Due tasks run in order of their time, then of the calls.
  [[nodiscard]] std::unique_ptr<Timer> After(Nanos delay, std::function<void()> task) override;

  struct Queue;
  Queue& queue() { return *queue_; }  // for the links in rpc/

 private:
  class LoopTimer;

  void RunPosted();
  void RunDue();
  void Wait();

  std::unique_ptr<Queue> queue_;
};

// Once, in a robot's main, before anything else of rpc/: turns off what wakes the process for
// nothing.
void QuietenRpc();

}  // namespace tacho
