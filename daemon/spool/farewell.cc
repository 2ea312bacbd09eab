// Only segments of events hold what others need; any other segment's farewell is one gap.
#include "daemon/spool/farewell.h"

#include <algorithm>
#include <utility>

#include "common/dictionary.h"
#include "daemon/spool/frame_walker.h"

namespace tacho {
namespace {

void Collect(const Frame& frame, const Slot& slot, Seq through, const DictionaryPlaces& places,
             Farewell& farewell) {
  if (frame.kind == RecordKind::kGap && frame.seq > through) {
    if (auto gap = DecodeGap(frame.payload); gap.ok()) farewell.gaps.push_back(*std::move(gap));
  }
  if (frame.kind != RecordKind::kDictionary) return;
  const auto place = places.find(HashOf(frame.payload));
  if (place != places.end() && place->second > slot.header.ordinal) return;
  std::vector<std::byte> bytes(frame.payload.begin(), frame.payload.end());
  std::erase(farewell.dictionaries, bytes);
  farewell.dictionaries.push_back(std::move(bytes));
}

// Drops from the front, where the oldest are.
void LimitDictionaries(std::vector<std::vector<std::byte>>& dictionaries, std::size_t most_bytes) {
  std::size_t total = 0;
  auto first = dictionaries.end();
  while (first != dictionaries.begin()) {
    total += std::prev(first)->size() + kMaxFrameOverhead;
    if (total > most_bytes) break;
    --first;
  }
  dictionaries.erase(dictionaries.begin(), first);
}

}  // namespace

Farewell FarewellTo(SegmentPool& pool, Slot& slot, const LedgerReader& ledger,
                    const DictionaryPlaces& places, std::size_t most_bytes) {
  Farewell farewell;
  if (slot.state != HeaderState::kUsed) return farewell;
  const StreamKey& stream = slot.header.stream;
  const Seq through = ledger.through(stream);
  const Seq first = std::max(slot.header.first, through + 1);
  const Seq end = pool.EndOf(slot);
  if (first < end) {
    farewell.lost = end - first;
    farewell.gaps.push_back({stream, {first, farewell.lost}, "evicted"});
  }
  if (stream.tier != Tier::kEvents) return farewell;
  // Its answer is ignored since what cannot be read cannot be kept.
  (void)pool.Scan(slot,
                  [&](const Frame& frame) { Collect(frame, slot, through, places, farewell); });
  LimitDictionaries(farewell.dictionaries, most_bytes);
  return farewell;
}

}  // namespace tacho
