// The streams a server has open: counted, limited, and ended together.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <set>

#include "common/mutex.h"
#include "common/status.h"
#include "common/time.h"
#include "rpc/telemetry_service.h"

namespace tacho {

// Any thread.
class OpenStreams {
 public:
  explicit OpenStreams(std::size_t limit) : limit_(limit) {}

  // False when `limit` streams are open already, or the server is stopping.
  bool Add(const std::shared_ptr<RobotStream>& stream);
  void Remove(const std::shared_ptr<RobotStream>& stream);
  // No stream is added from now on; all get `why`.
  void EndAll(const Status& why);
  void WaitUntilNone();

 private:
  const std::size_t limit_;
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::set<std::shared_ptr<RobotStream>> streams_ GUARDED_BY(mutex_);
  bool is_stopping_ GUARDED_BY(mutex_) = false;
};

}  // namespace tacho
