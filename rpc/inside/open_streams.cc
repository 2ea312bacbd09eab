#include "rpc/inside/open_streams.h"

namespace tacho {

bool OpenStreams::Add(const std::shared_ptr<RobotStream>& stream) {
  const MutexLock lock(mutex_);
  if (is_stopping_ || streams_.size() >= limit_) return false;
  streams_.insert(stream);
  return true;
}

void OpenStreams::Remove(const std::shared_ptr<RobotStream>& stream) {
  const MutexLock lock(mutex_);
  streams_.erase(stream);
  // Under the lock: the waiter may destroy this object as soon as it sees the set empty.
  changed_.notify_all();
}

void OpenStreams::EndAll(const Status& why) {
  std::set<std::shared_ptr<RobotStream>> streams;
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
    streams = streams_;
  }
  for (const auto& stream : streams)
    stream->End(why);
}

void OpenStreams::WaitUntilNone() {
  const MutexLock lock(mutex_);
  while (!streams_.empty())
    changed_.wait(mutex_);
}

}  // namespace tacho
