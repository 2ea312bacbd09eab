// Where the recorder before stopped, if the files prove it, and what they lost.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "daemon/spool/boot_record.h"
#include "daemon/spool/frame_walker.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/segment_pool.h"

namespace tacho {

struct LaneEnd {
  Slot* slot = nullptr;  // nullptr: this tier has no record in the epoch
  FramePosition end;
};

struct Resumption {
  bool is_proven = false;  // the epoch may go on
  Epoch epoch{};
  std::array<LaneEnd, kTiers> ends;
  std::vector<Gap> damaged;           // seqs that the newest segments have lost
  std::vector<std::string> warnings;  // where, in words
};

// Looks at the newest segment of each tier in the newest epoch. Its end is proven when the recorder
// before ran in the same boot and was never failed by the disk, every header could be read, every
// newest segment ends clean, and none ends before what the server acknowledged.
Resumption FindResumption(const SegmentPool& pool, const BootId& boot,
                          const std::optional<BootRecord>& before, const LedgerReader& ledger);

}  // namespace tacho
