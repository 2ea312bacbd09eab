// The queue between the loop thread and the spool thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/mutex.h"
#include "common/time.h"
#include "daemon/recorder/outgoing.h"

namespace tacho {

// Bounded in bytes. Full, it refuses summaries first: records of the event tier find room up to
// twice the limit.
class Outbox {
 public:
  explicit Outbox(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  // Loop thread. False, and counted, when there is no room; on_stored is then not called.
  bool Add(Outgoing record);
  // Loop thread. Take gives what is left, then nullopt.
  void Close();

  // Spool thread. Waits until there is something or `patience` is over, and gives all there is, in
  // order. nullopt once closed and empty.
  std::optional<std::vector<Outgoing>> Take(Nanos patience);

  // Loop thread. Counts a record that was given up before it came here.
  void Refuse() { ++refused_; }
  std::uint64_t refused() const { return refused_; }

 private:
  const std::size_t limit_bytes_;
  std::uint64_t refused_ = 0;  // loop thread's
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::vector<Outgoing> records_ GUARDED_BY(mutex_);
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace tacho
