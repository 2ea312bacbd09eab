// All tiers' lanes over one pool of segments: writes what waits, and makes room where there is
// none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "common/ids.h"
#include "common/record.h"
#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/farewell.h"
#include "daemon/spool/gap_book.h"
#include "daemon/spool/lane.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/resumption.h"
#include "daemon/spool/segment_pool.h"
#include "daemon/spool/spool.h"

namespace tacho {

// Whose records are written now.
struct WriterIdentity {
  BootId boot;
  std::uint64_t boot_counter = 0;
  Epoch epoch{};
};

// Lives on the spool thread. A failing call leaves every record held, to be written elsewhere by
// the next one.
class Lanes {
 public:
  // `config` as Normalized() gives it. `disk` and `counters` must outlive the lanes.
  Lanes(const SpoolConfig& config, Disk& disk, std::function<std::uint64_t()> random,
        SpoolCounters& counters);

  // Before the first segment is begun, and again once the disk has told the boot counter.
  void Identify(const WriterIdentity& identity) { identity_ = identity; }
  // Looks at the folder's segments and ledger.
  Status Load();
  // Requires: Load() succeeded, nothing was pushed.
  Status Resume(const Resumption& resumption);

  Seq Push(Tier tier, RecordKind kind, DictionaryHash dictionary,
           std::span<const std::byte> payload);
  // Everything pushed, and a record for every gap known, is in a segment. Requires: Load()
  // succeeded.
  Status WriteWaiting();
  // Everything written is on the disk.
  Status Sync();
  // Evicts until the segments keep within the limit. Requires: Load() succeeded.
  Status Trim();

  // Leaves segments whose last records no sync covered: their records wait again.
  void GiveUpUnsynced();
  // Whether a segment in use was taken away. Cheap: a look at each.
  bool IsInPlace() const;
  // Forgets the segments whose files are not among `names`, or whose file in use was replaced. Gaps
  // will tell of what was in them and nobody acknowledged. True if there were any.
  bool ForgetLost(std::span<const std::string> names);
  // Whether the folder proves for each tier which seq comes next.
  bool IsAnchored() const;
  // Forgets the oldest record of the least important tier; a gap record will tell of it.
  // Requires: held_bytes() > 0, GiveUpUnsynced() or Sync() was the last thing that happened.
  void DropOldest();
  std::size_t held_bytes() const;

  // By the ledger as it is now; brings counters.bytes_used up to date too.
  std::uint64_t CountUnacknowledged();
  void AddGap(const Gap& gap) { gaps_.Add(gap); }

  const SegmentPool& pool() const { return pool_; }
  const LedgerReader& ledger() const { return ledger_; }

 private:
  Lane& events() { return lanes_[0]; }
  StreamKey StreamOf(Tier tier) const { return {identity_.boot, identity_.epoch, tier}; }
  bool HasWaiting() const;
  Status WriteOne(Tier tier);
  Status MakeFit(Tier tier);
  Status Begin(Tier tier, Slot& slot);
  Status EvictOne();
  Status SayFarewell(Slot& victim);
  Status WriteEventsToReserve();
  void PushGaps();
  Lane* WriterOf(const Slot& slot);
  Status Counted(Status status, std::uint64_t& failures);

  SpoolConfig config_;
  std::function<std::uint64_t()> random_;
  SpoolCounters& counters_;
  WriterIdentity identity_;
  SegmentPool pool_;
  LedgerReader ledger_;
  std::array<Lane, kTiers> lanes_;
  GapBook gaps_;
  DictionaryPlaces places_;
};

}  // namespace tacho
