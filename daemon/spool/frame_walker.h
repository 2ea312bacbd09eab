// Goes through the frames of one segment, over damage if there is any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/segment_format.h"

namespace tacho {

// A place in a segment between two frames.
struct FramePosition {
  std::size_t offset = kSegmentHeaderBytes;
  Seq last{};  // of the frame before; below the header's first if there is none
};
// Before the first frame of a segment.
FramePosition StartOf(const SegmentHeader& header);

// Bytes between two frames, or behind the last, that are no frame.
struct FrameDamage {
  std::size_t offset = 0;
  std::size_t size = 0;
  SeqRange missing;  // seqs between the frames around it; none for damage behind the last
};

class FrameWalker {
 public:
  // What a terminator means: the end, or perhaps a hole with more frames behind it.
  enum class Search : std::uint8_t { kStopAtTerminator, kBehindTerminator };

  // `file` must outlive the walker.
  FrameWalker(const File& file, const SegmentHeader& header, FramePosition from, Search search);

  // The next frame, valid until the next call; nullopt at the end. Fails when the disk does, and
  // with kNotFound when the file was recycled meanwhile.
  Result<std::optional<Frame>> Next();

  // Behind the frame given last.
  FramePosition position() const { return at_; }
  const std::vector<FrameDamage>& damage() const { return damage_; }
  // After the end: a terminator stood there, or the segment was full.
  bool ended_clean() const { return ended_clean_; }

 private:
  Status Load(std::size_t size);
  Result<ParsedFrame> ParseHere();
  Result<bool> SkipDamage(bool is_terminator);
  Result<bool> IsStillDamaged();
  Frame Accept(const ParsedFrame& parsed);

  const File& file_;
  SegmentHeader header_;
  FramePosition at_;
  Search search_;
  std::vector<std::byte> window_;  // bytes of the file from window_at_ on
  std::size_t window_at_ = 0;
  std::vector<FrameDamage> damage_;
  bool ended_clean_ = false;
};

// What a whole segment holds.
struct SegmentScan {
  std::uint64_t records = 0;
  FramePosition end;
  std::vector<FrameDamage> damage;
  bool is_clean = false;  // no damage, and a clean end: no later frame can have been here
};
// Goes through all of it, behind terminators too, and shows every frame.
Result<SegmentScan> ScanSegment(const File& file, const SegmentHeader& header,
                                const std::function<void(const Frame&)>& show = {});

// The header of a segment file.
Result<ParsedHeader> ReadHeader(const File& file);

}  // namespace tacho
