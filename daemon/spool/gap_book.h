// What will never arrive, gathered until gap records tell of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/seq_ranges.h"

namespace tacho {

// Ranges of one stream and reason that touch grow together, so that few records tell of many
// losses. Streams beyond the limit are forgotten and counted.
class GapBook {
 public:
  void Add(const Gap& gap);
  bool empty() const { return ranges_.empty(); }
  // The gaps, stream by stream, of which the records together stay below `bytes`; the rest stays.
  std::vector<Gap> Take(std::size_t bytes);
  std::uint64_t forgotten_records() const { return forgotten_records_; }

 private:
  std::map<std::pair<StreamKey, std::string>, SeqRanges> ranges_;
  std::uint64_t forgotten_records_ = 0;
};

}  // namespace tacho
