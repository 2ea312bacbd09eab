// Runs tasks on a few threads of its own from a bounded queue: slow answers must not hold up the
// threads that move bytes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "common/mutex.h"

namespace tacho {

class WorkerPool {
 public:
  WorkerPool(std::size_t threads, std::size_t limit);
  // Runs what is queued, then joins.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Any thread. False, and nothing queued, when `limit` tasks wait already.
  [[nodiscard]] bool TryRun(std::function<void()> task);

 private:
  void Work();

  const std::size_t limit_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  bool is_stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_;
};

}  // namespace tacho
