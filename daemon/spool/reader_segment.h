// One segment as a reader follows it: where its end was last seen, and where reading stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/frame_walker.h"
#include "daemon/spool/segment_format.h"

namespace tacho {

// How much a read may still take, and from where.
struct ReadWindow {
  Seq after{};   // the next record's seq is above this
  Seq before{};  // and below this: later segments have the rest
  std::size_t bytes_left = 0;
  std::size_t most_records = SIZE_MAX;
};

class ReaderSegment {
 public:
  ReaderSegment(std::string name, const SegmentHeader& header);

  const std::string& name() const { return name_; }
  const SegmentHeader& header() const { return header_; }
  // No writer comes back to it: what lies behind a terminator is worth a look, and the end is
  // final.
  void Seal() { is_sealed_ = true; }

  // Goes on to the newest frame.
  Status FollowEnd(const File& file);
  // Of the newest frame that FollowEnd saw; below the header's first if there is none.
  Seq last() const { return end_.last; }

  // Appends records of consecutive seqs and moves `window` behind them. Stops before a hole unless
  // `records` is empty, and before a record that exceeds the bytes left unless `records` is empty.
  // True: the segment's end was reached.
  Result<bool> Read(const File& file, ReadWindow& window, std::vector<Record>& records);

  // What was damaged on the way of both since the last call; a place that both met comes twice.
  std::vector<FrameDamage> TakeDamage() { return std::exchange(damage_, {}); }

 private:
  void Note(const FrameWalker& walker);

  std::string name_;
  SegmentHeader header_;
  FramePosition end_;
  FramePosition reading_;  // of the last Read: where the next one most likely goes on
  bool is_sealed_ = false;
  bool was_searched_ = false;  // behind the first terminator met, once, though it isn't sealed
  bool is_final_ = false;      // end_ will not move any more
  std::vector<FrameDamage> damage_;
};

}  // namespace tacho
