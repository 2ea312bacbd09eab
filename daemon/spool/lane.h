// One tier's way to the disk: the segment it appends to, and what it must still remember.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/segment_pool.h"

namespace tacho {

// A record that is not yet known to be on the disk.
struct HeldRecord {
  Seq seq{};
  RecordKind kind{};
  DictionaryHash dictionary{};
  std::vector<std::byte> payload;
};

// Holds each record in memory from Push until a sync covers it: first *waiting* for a segment, then
// *written* to one. Whatever fails, the segment is given up and all that is held waits again, with
// the same seqs. Lives on the spool thread.
class Lane {
 public:
  // `pool` must outlive the lane.
  explicit Lane(SegmentPool& pool) : pool_(pool) {}

  // Gives the record its seq. It waits.
  Seq Push(RecordKind kind, DictionaryHash dictionary, std::span<const std::byte> payload);
  bool has_waiting() const { return written_ < held_.size(); }
  // Requires: has_waiting().
  const HeldRecord& next() const { return held_[written_]; }
  // Requires: has_waiting().
  bool FitsNext() const;
  // Writes the next waiting record. Requires: FitsNext().
  Status WriteNext();

  bool has_segment() const { return slot_ != nullptr; }
  // The segment in use; nullptr if there is none.
  const Slot* segment() const { return slot_; }
  // Syncs the segment in use and leaves it.
  Status Seal();
  // Begins a segment. Requires: !has_segment().
  Status Start(Slot& slot, const SegmentHeader& header);
  // Goes on where a recorder of the same boot and epoch stopped. Requires: nothing pushed yet.
  Status Resume(Slot& slot, const FramePosition& end);

  bool is_dirty() const { return is_dirty_; }
  // All that is written is on the disk.
  Status Sync();
  // False once the segment in use was taken away.
  bool IsInPlace() const { return !file_ || file_->IsInPlace(); }
  // Leaves a segment that was taken away: what no sync covered waits again, the rest is lost with
  // it. Requires: has_segment().
  void Forsake();
  // Leaves the segment as a failure would, if it holds what no sync covered.
  void GiveUpUnsynced();

  std::size_t held_bytes() const { return held_bytes_; }
  std::size_t held() const { return held_.size(); }
  std::size_t waiting() const { return held_.size() - written_; }
  // Requires: nothing is written and unsynced, and held() > 0.
  HeldRecord DropOldest();
  Seq next_seq() const { return next_seq_; }

 private:
  Status GiveUp(Status why);
  void Leave();

  SegmentPool& pool_;
  std::deque<HeldRecord> held_;
  std::size_t held_bytes_ = 0;
  std::size_t written_ = 0;  // of held_, from the front
  Seq next_seq_{1};
  Slot* slot_ = nullptr;
  std::unique_ptr<File> file_;
  std::size_t offset_ = 0;
  bool holds_synced_ = false;  // the segment has records that must not be lost with it
  bool is_dirty_ = false;
};

}  // namespace tacho
