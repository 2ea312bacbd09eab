// Sorted, disjoint ranges in an ordered map from first to count.
#include "common/seq_ranges.h"

#include <algorithm>
#include <limits>

namespace tacho {
namespace {

// A range never reaches past the largest seq, so that its end is always a number.
SeqRange Clamped(SeqRange range) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - Number(range.first);
  return {range.first, std::min(range.count, room)};
}

}  // namespace

void SeqRanges::Add(SeqRange range) {
  range = Clamped(range);
  if (range.count == 0) return;
  Seq first = range.first;
  Seq end = range.end();
  auto it = ranges_.upper_bound(first);
  if (it != ranges_.begin() && std::prev(it)->first + std::prev(it)->second >= first) --it;
  while (it != ranges_.end() && it->first <= end) {
    first = std::min(first, it->first);
    end = std::max(end, it->first + it->second);
    it = ranges_.erase(it);
  }
  ranges_.emplace(first, end - first);
}

void SeqRanges::Add(const SeqRanges& other) {
  for (const auto& [first, count] : other.ranges_) {
    Add(SeqRange{first, count});
  }
}

bool SeqRanges::Overlaps(SeqRange range) const {
  range = Clamped(range);
  if (range.count == 0) return false;
  const auto next = ranges_.lower_bound(range.end());
  if (next == ranges_.begin()) return false;
  const auto& [first, count] = *std::prev(next);
  return first + count > range.first;
}

bool SeqRanges::Contains(SeqRange range) const {
  return MissingIn(range).empty();
}

std::vector<SeqRange> SeqRanges::MissingIn(SeqRange range) const {
  range = Clamped(range);
  std::vector<SeqRange> missing;
  Seq at = range.first;
  auto it = ranges_.upper_bound(at);
  if (it != ranges_.begin()) at = std::max(at, std::prev(it)->first + std::prev(it)->second);
  for (; at < range.end(); ++it) {
    const Seq until = it == ranges_.end() ? range.end() : std::min(it->first, range.end());
    if (until > at) missing.push_back({at, until - at});
    if (it == ranges_.end()) break;
    at = it->first + it->second;
  }
  return missing;
}

std::vector<SeqRange> SeqRanges::Touching(SeqRange range) const {
  range = Clamped(range);
  std::vector<SeqRange> touching;
  if (range.count == 0) return touching;
  auto it = ranges_.upper_bound(range.first);
  if (it != ranges_.begin()) --it;
  for (; it != ranges_.end() && it->first < range.end(); ++it) {
    if (it->first + it->second > range.first) touching.push_back({it->first, it->second});
  }
  return touching;
}

Seq SeqRanges::through() const {
  const auto next = ranges_.upper_bound(Seq{1});
  if (next == ranges_.begin()) return Seq{0};
  const auto& [first, count] = *std::prev(next);
  const Seq end = first + count;
  return end > Seq{1} ? Seq{Number(end) - 1} : Seq{0};
}

Seq SeqRanges::last() const {
  if (ranges_.empty()) return Seq{0};
  const auto& [first, count] = *ranges_.rbegin();
  return Seq{Number(first) + count - 1};
}

std::uint64_t SeqRanges::count() const {
  std::uint64_t sum = 0;
  for (const auto& [first, count] : ranges_) {
    sum += count;
  }
  return sum;
}

std::vector<SeqRange> SeqRanges::list() const {
  std::vector<SeqRange> all;
  all.reserve(ranges_.size());
  for (const auto& [first, count] : ranges_) {
    all.push_back({first, count});
  }
  return all;
}

}  // namespace tacho
