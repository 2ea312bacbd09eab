// The recorder's own counters as a group of channels: what it lost is itself recorded.
#pragma once

#include <cstdint>
#include <vector>

#include "common/time.h"
#include "daemon/recorder/channels.h"
#include "daemon/recorder/row.h"

namespace tacho {

// One value for each of them; -1 where it is not known yet.
struct OwnNumbers {
  std::int64_t ring_dropped = 0;
  std::int64_t records_dropped = 0;
  std::int64_t missed_sweeps = 0;
  std::int64_t parked_sources = 0;
  std::int64_t sweep_nanos = -1;
  std::int64_t channels_refused = 0;
  std::int64_t flight_dropped = 0;
  std::int64_t spool_bytes = -1;
  std::int64_t spool_unacknowledged = -1;
  std::int64_t spool_evicted = -1;
  std::int64_t spool_ram_dropped = -1;
  std::int64_t spool_write_failures = -1;
  std::int64_t spool_sync_failures = -1;
  std::int64_t tegrastats_lines = -1;
  std::int64_t tegrastats_noise = -1;
  std::int64_t tegrastats_unknown = -1;
  std::int64_t tegrastats_bad = -1;
  std::int64_t tegrastats_restarts = -1;
  std::int64_t tegrastats_skipped = -1;
};

// Loop thread.
class OwnTelemetry {
 public:
  static constexpr const char* kGroup = "recorder";

  OwnTelemetry(Channels& channels, Nanos period);

  // Whether a row is due at `now`.
  bool IsDue(BootTime now) const { return now >= next_; }
  Row RowOf(const OwnNumbers& numbers, BootTime now);

 private:
  const GroupId group_;
  const Nanos period_;
  BootTime next_;
  std::vector<ChannelId> ids_;  // in the order of the table of metrics
};

}  // namespace tacho
