// The spool: what the recorder keeps on disk until the server has it (docs/formats/spool.md).
//
// The recorder is the only writer of segments, the uplink the only writer of the ledger; anybody
// may read.
#pragma once

#include <cstdint>
#include <filesystem>

#include "common/ids.h"
#include "common/record.h"

namespace tacho {

struct SpoolConfig {
  std::filesystem::path folder;       // segments, ledger and boot counter live here
  std::int64_t max_bytes = 64 << 20;  // of all segments together
  std::int64_t segment_bytes = 1 << 20;
  std::int64_t ram_bytes = 1 << 20;  // kept while the disk refuses, oldest dropped first
};

// What the writer did, lost or could not do, since it opened.
struct SpoolCounters {
  std::uint64_t appended = 0;
  std::uint64_t syncs = 0;
  std::uint64_t evicted_records = 0;
  std::uint64_t ram_dropped_records = 0;
  std::uint64_t write_failures = 0;
  std::uint64_t sync_failures = 0;
  std::uint64_t damaged_segments = 0;
  std::uint64_t lost_segments = 0;  // files that somebody else took away
  std::uint64_t lost_records = 0;   // unacknowledged, in them
  std::int64_t bytes_used = 0;      // segments that hold unacknowledged records
  bool is_ram_only = false;
};

// What a reader finds of one stream.
struct SpooledStream {
  StreamKey key;
  std::uint64_t boot_counter = 0;
  Seq first{};  // oldest still held
  Seq last{};
};

}  // namespace tacho
