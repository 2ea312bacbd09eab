// One set of ranges a stream and reason.
#include "daemon/spool/gap_book.h"

namespace tacho {
namespace {

// A spool of 64 segments cannot hold more streams than this at once, even four times over.
constexpr std::size_t kMaxStreams = 256;
// The most that a gap record takes in a segment: key, two varints, reason and frame.
constexpr std::size_t kGapBytes = 96;

}  // namespace

void GapBook::Add(const Gap& gap) {
  if (gap.seqs.count == 0) return;
  const std::pair key(gap.stream, gap.reason);
  if (ranges_.size() >= kMaxStreams && !ranges_.contains(key)) {
    forgotten_records_ += gap.seqs.count;
    return;
  }
  ranges_[key].Add(gap.seqs);
}

std::vector<Gap> GapBook::Take(std::size_t bytes) {
  std::vector<Gap> gaps;
  while (!ranges_.empty()) {
    const auto it = ranges_.begin();
    SeqRanges left;
    for (const SeqRange& range : it->second.list()) {
      if ((gaps.size() + 1) * kGapBytes > bytes) {
        left.Add(range);
      } else {
        gaps.push_back({it->first.first, range, it->first.second});
      }
    }
    it->second = left;
    if (left.count() > 0) break;
    ranges_.erase(it);
  }
  return gaps;
}

}  // namespace tacho
