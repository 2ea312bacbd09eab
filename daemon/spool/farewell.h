// What must be said before a segment goes: which records go with it, and what others still need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/segment_pool.h"

namespace tacho {

// For each dictionary, the ordinal of the newest segment known to hold it.
using DictionaryPlaces = std::map<DictionaryHash, std::uint64_t>;

struct Farewell {
  std::uint64_t lost = 0;  // records that nobody acknowledged
  // The lost seqs, and what unacknowledged gap records in the segment told of others.
  std::vector<Gap> gaps;
  // Dictionaries that stand nowhere newer: the numbers of other segments need them.
  std::vector<std::vector<std::byte>> dictionaries;
};

// `most_bytes` limits the dictionaries; the newest are kept.
Farewell FarewellTo(SegmentPool& pool, Slot& slot, const LedgerReader& ledger,
                    const DictionaryPlaces& places, std::size_t most_bytes);

}  // namespace tacho
