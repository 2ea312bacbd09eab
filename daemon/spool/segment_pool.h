// The segment files of a spool as its writer knows them: which are free, which hold what, which
// goes first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/ids.h"
#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/frame_walker.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/segment_format.h"
#include "daemon/spool/spool.h"

namespace tacho {

// One segment file.
struct Slot {
  std::string name;
  std::int64_t bytes = 0;
  HeaderState state = HeaderState::kFree;
  SegmentHeader header;       // of kUsed
  Seq end{};                  // behind its last record; Seq{0}: not looked at yet
  bool is_writing = false;    // a lane appends to it: never a victim
  bool is_suspect = false;    // it failed: removed where another would be recycled
  bool is_accounted = false;  // gap records tell already what goes with it
};

// Lives on the spool thread. A Slot stays where it is until it is removed.
class SegmentPool {
 public:
  // `config` as Normalized() gives it; `disk` must outlive the pool.
  SegmentPool(const SpoolConfig& config, Disk& disk);

  // Reads the headers of all segment files.
  Status Load();
  const std::vector<std::unique_ptr<Slot>>& slots() const { return slots_; }

  std::filesystem::path PathOf(const Slot& slot) const { return config_.folder / slot.name; }
  Result<std::unique_ptr<File>> OpenFile(const Slot& slot) const;
  // Goes through a segment, once more if the disk fails it: `show` may then see a frame twice.
  Result<SegmentScan> Scan(const Slot& slot,
                           const std::function<void(const Frame&)>& show = {}) const;
  // A free slot that leaves another one free, made if limit and disk allow; nullptr if neither.
  // The slot stays free until somebody writes a header to it.
  Slot* FindFree();
  // The last free slot: only for what must be said before an eviction. nullptr if there is none.
  Slot* FindReserve();
  // What goes first: what nobody can read, then the oldest that is acknowledged, then the oldest of
  // the least important tier. Never one being written; nullptr if nothing can go.
  Slot* FindVictim(const LedgerReader& ledger);
  // Makes a slot free, or removes it where it is suspect, of another size or too much.
  Status Free(Slot& slot);
  // Drops a slot whose file somebody else took away.
  void Forget(const Slot& slot);
  // Gives up a file that failed before it held anything. If even that fails, it stays, unreadable.
  void Discard(Slot& slot);
  bool IsOverLimit() const { return TotalBytes() > config_.max_bytes; }

  // Behind its last record, as its neighbour in the stream or else a look at all of it tells.
  Seq EndOf(Slot& slot);
  std::uint64_t NextOrdinal() { return ++ordinal_; }
  // The highest boot counter that any header names.
  std::uint64_t HighestBootCounter() const;

 private:
  void LoadSlot(const std::string& name);
  Status LoadHeader(Slot& slot) const;
  Result<SegmentScan> ScanOnce(const Slot& slot,
                               const std::function<void(const Frame&)>& show) const;
  std::int64_t TotalBytes() const;
  std::size_t CountFree() const;
  std::string FreeName() const;
  Slot* Grow();
  Status Remove(Slot& slot);
  bool IsAcknowledged(Slot& slot, const LedgerReader& ledger);

  SpoolConfig config_;
  Disk& disk_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::uint64_t ordinal_ = 0;
  int rests_before_growing_ = 0;     // after the disk was found full
  std::set<std::string> strangers_;  // names of segments under which no file can be opened
};

// Limits that leave each tier a segment to write to and something to evict.
SpoolConfig Normalized(SpoolConfig config);
// Whether a file's name is that of a segment.
bool IsSegmentName(const std::string& name);

}  // namespace tacho
