#include "rpc/worker_pool.h"

#include <utility>

namespace tacho {

WorkerPool::WorkerPool(std::size_t threads, std::size_t limit) : limit_(limit) {
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

bool WorkerPool::TryRun(std::function<void()> task) {
  {
    const MutexLock lock(mutex_);
    if (waiting_.size() >= limit_) return false;
    waiting_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

void WorkerPool::Work() {
  while (true) {
    std::function<void()> task;
    {
      const MutexLock lock(mutex_);
      while (waiting_.empty() && !is_stopping_)
        changed_.wait(mutex_);
      if (waiting_.empty()) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
}

}  // namespace tacho
