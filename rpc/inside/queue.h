// What is inside CqLoop, for the links that live on it.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <grpcpp/alarm.h>
#include <grpcpp/completion_queue.h>
#include <map>
#include <thread>

#include "common/mutex.h"
#include "rpc/cq_loop.h"

namespace tacho {

// What every tag on the completion queue points to. Loop thread.
class Completion {
 public:
  virtual ~Completion() = default;
  virtual void OnComplete(bool is_ok) = 0;
};

struct CqLoop::Queue {
  // A posted task wakes the loop through the queue: there is nothing to do but look.
  struct Wake final : Completion {
    void OnComplete(bool) override {}
  };
  using Moment = std::chrono::steady_clock::time_point;
  using Due = std::multimap<Moment, std::function<void()>>;

  grpc::CompletionQueue events;
  int connections = 0;  // that gRPC has not let go of
  Due due;
  std::atomic<bool> is_stopping{false};
  std::atomic<std::thread::id> runner;

  Mutex mutex;
  std::deque<std::function<void()>> posted GUARDED_BY(mutex);
  // Set while an alarm is on its way. The mutex is held over Alarm::Set too: it may be called
  // again only once the last call has returned.
  bool is_waking GUARDED_BY(mutex) = false;
  grpc::Alarm alarm GUARDED_BY(mutex);
  Wake wake;
};

}  // namespace tacho
