// When the spool is to be synced: often enough to lose little, rarely enough to spare the flash.
#pragma once

#include <optional>

#include "common/time.h"
#include "daemon/recorder/outgoing.h"

namespace tacho {

struct SyncConfig {
  Nanos period = std::chrono::seconds(5);
  Nanos alarm_period = std::chrono::seconds(1);  // for a minute after a warning or an error
  // Two syncs for the sake of events are never closer: a flood of events shares its syncs.
  Nanos least_distance = std::chrono::milliseconds(100);
};

// Spool thread. Pure.
class SyncPolicy {
 public:
  explicit SyncPolicy(SyncConfig config) : config_(config) {}

  void Replace(SyncConfig config) { config_ = config; }
  void Appended(Urgency urgency, BootTime now);
  // Says that all appended so far was synced, or that trying failed: the next try is a period away.
  void Synced(BootTime now);

  // When the next sync is due; nullopt while there is nothing to sync.
  std::optional<BootTime> due() const;
  // Whether an event waits for the next sync.
  bool is_urgent() const { return is_urgent_; }

  static constexpr Nanos kAlarmFor = std::chrono::minutes(1);

 private:
  SyncConfig config_;
  std::optional<BootTime> oldest_unsynced_;
  std::optional<BootTime> last_sync_;
  std::optional<BootTime> alarm_until_;
  bool is_urgent_ = false;
};

}  // namespace tacho
