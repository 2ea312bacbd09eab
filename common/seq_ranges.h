// A set of sequence numbers kept as sorted, disjoint ranges: what is committed, what is
// acknowledged.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "common/ids.h"

namespace tacho {

class SeqRanges {
 public:
  // Adds a range; overlapping and touching ranges grow together.
  void Add(SeqRange range);
  void Add(const SeqRanges& other);
  bool Overlaps(SeqRange range) const;
  bool Contains(SeqRange range) const;  // wholly
  // The parts of `range` that are not in the set, in order.
  std::vector<SeqRange> MissingIn(SeqRange range) const;
  // The ranges of the set, whole, that overlap `range`, in order.
  std::vector<SeqRange> Touching(SeqRange range) const;
  // The last seq such that all of 1..seq are in the set; Seq{0} if 1 is missing.
  Seq through() const;
  // The greatest seq; Seq{0} where there is none.
  Seq last() const;
  std::uint64_t count() const;
  std::vector<SeqRange> list() const;
  bool operator==(const SeqRanges&) const = default;

 private:
  std::map<Seq, std::uint64_t> ranges_;  // first -> count
};

}  // namespace tacho
