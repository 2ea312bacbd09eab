// The next sync from what was appended and when.
#include "daemon/recorder/sync_policy.h"

#include <algorithm>

namespace tacho {

void SyncPolicy::Appended(Urgency urgency, BootTime now) {
  if (!oldest_unsynced_) oldest_unsynced_ = now;
  if (urgency != Urgency::kCalm) is_urgent_ = true;
  if (urgency == Urgency::kAlarm) alarm_until_ = now + kAlarmFor;
}

void SyncPolicy::Synced(BootTime now) {
  oldest_unsynced_.reset();
  is_urgent_ = false;
  last_sync_ = now;
}

std::optional<BootTime> SyncPolicy::due() const {
  if (!oldest_unsynced_) return std::nullopt;
  if (is_urgent_) {
    return last_sync_ ? std::max(*oldest_unsynced_, *last_sync_ + config_.least_distance)
                      : *oldest_unsynced_;
  }
  const bool is_alarmed = alarm_until_ && *oldest_unsynced_ < *alarm_until_;
  return *oldest_unsynced_ + (is_alarmed ? config_.alarm_period : config_.period);
}

}  // namespace tacho
