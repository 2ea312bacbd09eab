#include "rpc/cq_loop.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <grpc/support/time.h>

#include "rpc/inside/queue.h"
#include "rpc/inside/start.h"

namespace tacho {

// A timer is an entry in the map of what is due; the queue is asked to wait no longer than the
// first. An alarm of gRPC's for each would wake its own timer thread as well.
class CqLoop::LoopTimer final : public Scheduler::Timer {
 public:
  LoopTimer(Queue& queue, Nanos delay, std::function<void()> task)
      : queue_(queue), is_pending_(std::make_shared<bool>(true)) {
    const auto at = std::chrono::steady_clock::now() + delay;
    at_ = queue_.due.emplace(at, [pending = is_pending_, task = std::move(task)] {
      *pending = false;
      task();
    });
  }
  ~LoopTimer() override {
    if (*is_pending_) queue_.due.erase(at_);
  }
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;

 private:
  Queue& queue_;
  // Shared with the task, which may destroy this timer.
  std::shared_ptr<bool> is_pending_;
  Queue::Due::iterator at_;
};

CqLoop::CqLoop() {
  StartRpc();
  queue_ = std::make_unique<Queue>();
}

CqLoop::~CqLoop() {
  {
    const MutexLock lock(queue_->mutex);
    queue_->posted.clear();
  }
  // The last operation of a call is started by the end of the one before, so the queue may be shut
  // only when no call is left. All are cancelled by now: their links are gone.
  void* tag = nullptr;
  bool is_ok = false;
  while (queue_->connections > 0 && queue_->events.Next(&tag, &is_ok)) {
    static_cast<Completion*>(tag)->OnComplete(is_ok);
  }
  queue_->events.Shutdown();
  while (queue_->events.Next(&tag, &is_ok)) {
    static_cast<Completion*>(tag)->OnComplete(is_ok);
  }
}

void CqLoop::Run() {
  queue_->runner = std::this_thread::get_id();
  while (!queue_->is_stopping) {
    RunPosted();
    RunDue();
    if (!queue_->is_stopping) Wait();
  }
  queue_->runner = std::thread::id();
}

void CqLoop::Stop() {
  queue_->is_stopping = true;
  Post([] {});
}

void CqLoop::Post(std::function<void()> task) {
  const MutexLock lock(queue_->mutex);
  queue_->posted.push_back(std::move(task));
  if (queue_->is_waking || queue_->runner.load() == std::this_thread::get_id()) return;
  queue_->is_waking = true;
  queue_->alarm.Set(&queue_->events, gpr_inf_past(GPR_CLOCK_MONOTONIC), &queue_->wake);
}

std::unique_ptr<Scheduler::Timer> CqLoop::After(Nanos delay, std::function<void()> task) {
  return std::make_unique<LoopTimer>(*queue_, delay, std::move(task));
}

// One round: what these tasks post themselves comes after the network had its turn.
void CqLoop::RunPosted() {
  std::deque<std::function<void()>> tasks;
  {
    const MutexLock lock(queue_->mutex);
    tasks.swap(queue_->posted);
  }
  for (const auto& task : tasks)
    task();
}

void CqLoop::RunDue() {
  const auto now = std::chrono::steady_clock::now();
  while (!queue_->due.empty() && queue_->due.begin()->first <= now) {
    const auto node = queue_->due.extract(queue_->due.begin());
    node.mapped()();
  }
}

void CqLoop::Wait() {
  gpr_timespec until = gpr_inf_future(GPR_CLOCK_MONOTONIC);
  if (!queue_->due.empty()) {
    const Nanos left = queue_->due.begin()->first - std::chrono::steady_clock::now();
    until = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                         gpr_time_from_nanos(std::max(left, Nanos(0)).count(), GPR_TIMESPAN));
  }
  {
    const MutexLock lock(queue_->mutex);
    if (!queue_->posted.empty()) until = gpr_inf_past(GPR_CLOCK_MONOTONIC);
  }
  void* tag = nullptr;
  bool is_ok = false;
  const auto status = queue_->events.AsyncNext(&tag, &is_ok, until);
  if (status != grpc::CompletionQueue::GOT_EVENT) return;
  if (tag == &queue_->wake) {
    const MutexLock lock(queue_->mutex);
    queue_->is_waking = false;
  }
  static_cast<Completion*>(tag)->OnComplete(is_ok);
}

void QuietenRpc() {
  // A timer that polls idle channels every 5 s: our loop polls them itself. What the owner set
  // wins. It fails only for want of memory, and costs wake-ups then, nothing else: ignored.
  (void)setenv("GRPC_CLIENT_CHANNEL_BACKUP_POLL_INTERVAL_MS", "0", 0);
}

}  // namespace tacho
