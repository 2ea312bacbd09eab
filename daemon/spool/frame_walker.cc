// Frames are read through a small window; only damage makes it grow to the rest of the segment.
#include "daemon/spool/frame_walker.h"

#include <algorithm>
#include <utility>

namespace tacho {
namespace {

constexpr std::size_t kWindowBytes = 16 << 10;

}  // namespace

FramePosition StartOf(const SegmentHeader& header) {
  return {kSegmentHeaderBytes, Seq{Number(header.first) - 1}};
}

FrameWalker::FrameWalker(const File& file, const SegmentHeader& header, FramePosition from,
                         Search search)
    : file_(file), header_(header), at_(from), search_(search), window_at_(from.offset) {}

// Fills the window with `size` bytes from here, or as many as the segment has.
Status FrameWalker::Load(std::size_t size) {
  const auto whole = static_cast<std::size_t>(header_.segment_bytes);
  const std::size_t room = whole - std::min(whole, at_.offset);
  window_.resize(std::min(room, size));
  window_at_ = at_.offset;
  auto read = file_.Read(static_cast<std::int64_t>(at_.offset), window_);
  if (!read.ok()) return std::move(read).status();
  window_.resize(*read);
  return {};
}

Result<ParsedFrame> FrameWalker::ParseHere() {
  const std::size_t behind = at_.offset - window_at_;
  std::span<const std::byte> bytes = window_;
  bytes = bytes.subspan(std::min(behind, bytes.size()));
  ParsedFrame parsed = ParseFrame(header_, at_.offset, bytes);
  if (parsed.state != ParsedFrame::State::kNeeds) return parsed;
  const std::size_t needed = parsed.size;
  TACHO_TRY(Load(std::max(needed, kWindowBytes)));
  parsed = ParseFrame(header_, at_.offset, window_);
  // The file ends before the segment does: what would be needed isn't there.
  if (parsed.state == ParsedFrame::State::kNeeds && parsed.size > needed) {
    TACHO_TRY(Load(std::max(parsed.size, kWindowBytes)));
    parsed = ParseFrame(header_, at_.offset, window_);
  }
  if (parsed.state == ParsedFrame::State::kNeeds) parsed.state = ParsedFrame::State::kDamaged;
  return parsed;
}

Frame FrameWalker::Accept(const ParsedFrame& parsed) {
  at_ = {at_.offset + parsed.size, parsed.frame.seq};
  return parsed.frame;
}

// A writer may be at work: what looked torn may be whole by now, or the file another segment.
Result<bool> FrameWalker::IsStillDamaged() {
  auto now = ReadHeader(file_);
  if (!now.ok()) return std::move(now).status();
  if (now->state != HeaderState::kUsed || now->header.id != header_.id) {
    return Status(Code::kNotFound, "the segment was recycled while it was read");
  }
  window_.clear();
  auto again = ParseHere();
  if (!again.ok()) return std::move(again).status();
  return again->state != ParsedFrame::State::kFrame || again->frame.seq <= at_.last;
}

// Moves to the next frame behind what isn't one. False: there is none, so the end is here.
Result<bool> FrameWalker::SkipDamage(bool is_terminator) {
  if (is_terminator && search_ == Search::kStopAtTerminator) return false;
  TACHO_TRY(Load(static_cast<std::size_t>(header_.segment_bytes)));
  const auto found = FindFrame(header_, at_.offset, at_.last, window_);
  if (!found) return false;
  auto is_damaged = IsStillDamaged();
  if (!is_damaged.ok()) return std::move(is_damaged).status();
  if (!*is_damaged) return true;
  FrameDamage damage{at_.offset, *found - at_.offset, {}};
  at_.offset = *found;
  auto behind = ParseHere();
  if (!behind.ok()) return std::move(behind).status();
  if (behind->state != ParsedFrame::State::kFrame) return false;  // changing under our eyes
  damage.missing = {at_.last + 1, behind->frame.seq - at_.last - 1};
  damage_.push_back(damage);
  return true;
}

Result<std::optional<Frame>> FrameWalker::Next() {
  using State = ParsedFrame::State;
  // Twice round at most: over damage, then the frame behind it.
  for (int tries = 0; tries < 3; ++tries) {
    auto parsed = ParseHere();
    if (!parsed.ok()) return std::move(parsed).status();
    // A seq that does not grow cannot have been written here.
    if (parsed->state == State::kFrame && parsed->frame.seq > at_.last) {
      return std::optional<Frame>(Accept(*parsed));
    }
    const bool is_terminator = parsed->state == State::kEnd;
    auto skipped = SkipDamage(is_terminator);
    if (!skipped.ok()) return std::move(skipped).status();
    if (!*skipped) {
      ended_clean_ = is_terminator;
      return std::optional<Frame>();
    }
  }
  return std::optional<Frame>();
}

Result<SegmentScan> ScanSegment(const File& file, const SegmentHeader& header,
                                const std::function<void(const Frame&)>& show) {
  SegmentScan scan;
  FrameWalker walker(file, header, StartOf(header), FrameWalker::Search::kBehindTerminator);
  while (true) {
    auto frame = walker.Next();
    if (!frame.ok()) return std::move(frame).status();
    if (!*frame) break;
    ++scan.records;
    if (show) show(**frame);
  }
  scan.end = walker.position();
  scan.damage = walker.damage();
  scan.is_clean = walker.ended_clean() && scan.damage.empty();
  return scan;
}

Result<ParsedHeader> ReadHeader(const File& file) {
  std::vector<std::byte> bytes(kSegmentHeaderBytes);
  ParsedHeader parsed;
  // A header that is being written may be seen half old, half new.
  for (int tries = 0; tries < 3; ++tries) {
    auto read = file.Read(0, bytes);
    if (!read.ok()) return std::move(read).status();
    parsed = ParseHeader(std::span(bytes).first(*read));
    if (parsed.state != HeaderState::kDamaged) break;
  }
  return parsed;
}

}  // namespace tacho
