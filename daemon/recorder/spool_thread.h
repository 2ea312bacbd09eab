// The thread that owns the spool, so that no disk ever holds up the loop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "common/mutex.h"
#include "common/scheduler.h"
#include "common/work_in_hand.h"
#include "daemon/recorder/outbox.h"
#include "daemon/recorder/spool_worker.h"

namespace tacho {

// Made, read and destroyed on the loop thread.
class SpoolThread {
 public:
  // Opens the spool, on the spool thread.
  using MakeWorker = std::function<std::unique_ptr<SpoolWorker>()>;

  // Requires: the loop runs no task that is left when this object dies.
  SpoolThread(const Clock& clock, Scheduler& loop, std::size_t queue_bytes, MakeWorker make);
  // Waits for the disk.
  ~SpoolThread();

  void Start();
  // Lets the thread end once all that was added is in the spool and the spool is closed.
  void Stop() { outbox_.Close(); }
  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }

  Outbox& outbox() { return outbox_; }
  // Holds from the thread's next turn on.
  void Replace(SyncConfig sync);

  // How the spool was when it last took something; nullopt until it is open.
  // A look costs a lock, not a wake-up of the loop for every record.
  std::optional<SpoolView> view() const;
  // Since when the thread has been busy with the same; nullopt while it waits.
  std::optional<BootTime> busy_since() const { return work_.since(); }

 private:
  void Run();
  std::unique_ptr<SpoolWorker> Open();
  bool Turn(SpoolWorker& worker);
  void AdoptSync(SpoolWorker& worker);
  void Handle(SpoolWorker& worker, const std::vector<Outgoing>& records);

  const Clock& clock_;
  Scheduler& loop_;
  Outbox outbox_;
  const MakeWorker make_;
  WorkInHand work_;
  mutable Mutex mutex_;
  std::optional<SpoolView> view_ GUARDED_BY(mutex_);
  std::optional<SyncConfig> new_sync_ GUARDED_BY(mutex_);
  std::atomic<bool> has_ended_{false};
  std::thread thread_;
};

}  // namespace tacho
