// What is being worked on, and since when: how a watchdog sees that somebody hangs.
#pragma once

#include <optional>
#include <set>

#include "common/mutex.h"
#include "common/time.h"

namespace tacho {

// Any thread, every member. Holds as many entries as there are threads at work.
class WorkInHand {
 public:
  explicit WorkInHand(const Clock& clock) : clock_(clock) {}

  // One piece of work: in hand while this lives.
  class Piece {
   public:
    explicit Piece(WorkInHand& work) : work_(work), since_(work.clock_.Boot()) {
      const MutexLock lock(work_.mutex_);
      work_.begun_.insert(since_);
    }
    ~Piece() {
      const MutexLock lock(work_.mutex_);
      work_.begun_.erase(work_.begun_.find(since_));
    }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    WorkInHand& work_;
    const BootTime since_;
  };

  // When the oldest piece was begun; nullopt: idle, which is healthy for however long.
  std::optional<BootTime> since() const {
    const MutexLock lock(mutex_);
    if (begun_.empty()) return std::nullopt;
    return *begun_.begin();
  }

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  std::multiset<BootTime> begun_ GUARDED_BY(mutex_);
};

}  // namespace tacho
