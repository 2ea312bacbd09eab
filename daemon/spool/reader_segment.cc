// Two places are remembered, so that polling and reading on cost only what is new.
#include "daemon/spool/reader_segment.h"

#include <algorithm>
#include <utility>

namespace tacho {
namespace {

using Search = FrameWalker::Search;

Record RecordOf(const SegmentHeader& header, const Frame& frame) {
  Record record;
  record.stream = header.stream;
  record.seqs = {frame.seq, 1};
  record.kind = frame.kind;
  record.dictionary = frame.dictionary;
  record.payload.assign(frame.payload.begin(), frame.payload.end());
  return record;
}

// False: it has to wait for the next read.
bool Take(const Frame& frame, const SegmentHeader& header, ReadWindow& window,
          std::vector<Record>& records) {
  const bool is_next = frame.seq == window.after + 1;
  const bool fits = frame.payload.size() <= window.bytes_left;
  const bool is_full = records.size() >= window.most_records;
  if (!records.empty() && (!is_next || !fits || is_full)) return false;
  window.after = frame.seq;
  window.bytes_left -= std::min(window.bytes_left, frame.payload.size());
  records.push_back(RecordOf(header, frame));
  return true;
}

}  // namespace

ReaderSegment::ReaderSegment(std::string name, const SegmentHeader& header)
    : name_(std::move(name)), header_(header), end_(StartOf(header)), reading_(end_) {}

void ReaderSegment::Note(const FrameWalker& walker) {
  damage_.insert(damage_.end(), walker.damage().begin(), walker.damage().end());
}

Status ReaderSegment::FollowEnd(const File& file) {
  if (is_final_) return {};
  const bool is_sealed = is_sealed_;
  const bool searches = is_sealed || !was_searched_;
  FrameWalker walker(file, header_, end_,
                     searches ? Search::kBehindTerminator : Search::kStopAtTerminator);
  while (true) {
    auto frame = walker.Next();
    if (!frame.ok()) return std::move(frame).status();
    if (!*frame) break;
  }
  end_ = walker.position();
  was_searched_ = true;
  is_final_ = is_sealed;
  Note(walker);
  return {};
}

Result<bool> ReaderSegment::Read(const File& file, ReadWindow& window,
                                 std::vector<Record>& records) {
  if (reading_.last > window.after) reading_ = StartOf(header_);
  if (is_final_ && reading_.offset == end_.offset) return true;
  // Below the end that FollowEnd saw, a terminator is damage.
  FrameWalker walker(file, header_, reading_,
                     is_sealed_ || reading_.offset < end_.offset ? Search::kBehindTerminator
                                                                 : Search::kStopAtTerminator);
  bool reached_end = false;
  while (!reached_end) {
    auto frame = walker.Next();
    if (!frame.ok()) return std::move(frame).status();
    reached_end = !*frame || (*frame)->seq >= window.before;
    if (reached_end) break;
    if ((*frame)->seq > window.after && !Take(**frame, header_, window, records)) break;
    reading_ = walker.position();
  }
  Note(walker);
  return reached_end;
}

}  // namespace tacho
