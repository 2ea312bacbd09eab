// A vector under a lock: the spool thread takes all of it at once.
#include "daemon/recorder/outbox.h"

#include <utility>

namespace tacho {
namespace {

// What a record weighs besides its payload.
constexpr std::size_t kOwnWeight = sizeof(Outgoing);

}  // namespace

bool Outbox::Add(Outgoing record) {
  const std::size_t weight = record.payload.size() + kOwnWeight;
  const std::size_t limit = record.tier == Tier::kEvents ? 2 * limit_bytes_ : limit_bytes_;
  {
    const MutexLock lock(mutex_);
    if (is_closed_ || bytes_ + weight > limit) {
      ++refused_;
      return false;
    }
    bytes_ += weight;
    records_.push_back(std::move(record));
  }
  changed_.notify_one();
  return true;
}

void Outbox::Close() {
  {
    const MutexLock lock(mutex_);
    is_closed_ = true;
  }
  changed_.notify_one();
}

std::optional<std::vector<Outgoing>> Outbox::Take(Nanos patience) {
  const MutexLock lock(mutex_);
  if (records_.empty() && !is_closed_ && patience > Nanos::zero()) {
    // An early wake-up is harmless: the caller looks at its deadlines and comes back.
    changed_.wait_for(mutex_, patience);
  }
  if (records_.empty() && is_closed_) return std::nullopt;
  bytes_ = 0;
  return std::exchange(records_, {});
}

}  // namespace tacho
