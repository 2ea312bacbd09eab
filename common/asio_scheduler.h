// The one place that knows Boost.Asio: timers, posted tasks, readable descriptors and signals of a
// program's loop.
#pragma once

#include <functional>
#include <memory>

#include "common/scheduler.h"

namespace tacho {

// Run() returns after Stop(). One thread runs the loop; Post and Stop may be called from any.
class AsioScheduler final : public Scheduler {
 public:
  // Keeps a descriptor watched; destroying it ends the watch and leaves the descriptor open.
  // Destroy it before the descriptor is closed.
  class Watch {
   public:
    virtual ~Watch() = default;
  };

  AsioScheduler();
  ~AsioScheduler() override;

  void Run();
  void Stop();

  void Post(std::function<void()> task) override;
  [[nodiscard]] std::unique_ptr<Timer> After(Nanos delay, std::function<void()> task) override;
  // Loop thread, or before Run. Calls `task` on the loop whenever `descriptor` is readable (at its
  // end too), until the Watch dies, also within `task`. Null where the kernel cannot watch it: a
  // regular file, a closed or an already watched descriptor.
  [[nodiscard]] std::unique_ptr<Watch> WhenReadable(int descriptor, std::function<void()> task);
  // Calls `task` on the loop at each delivery of `signal_number`. Before Run, once per signal.
  void OnSignal(int signal_number, std::function<void()> task);

 private:
  struct Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace tacho
