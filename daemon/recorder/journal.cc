// Encodes records and says how soon the disk must have them.
#include "daemon/recorder/journal.h"

#include <utility>

namespace tacho {

bool Journal::AddDictionary(const Dictionary& dictionary) {
  Bytes payload = Encode(dictionary);
  const DictionaryHash hash = HashOf(payload);
  if (!outbox_.Add({.tier = Tier::kEvents,
                    .kind = RecordKind::kDictionary,
                    .dictionary = {},
                    .payload = std::move(payload)})) {
    return false;
  }
  hash_ = hash;
  return true;
}

bool Journal::AddClock(const ClockPair& pair) {
  return outbox_.Add({.tier = Tier::kEvents,
                      .kind = RecordKind::kClock,
                      .dictionary = {},
                      .payload = Encode(pair)});
}

bool Journal::AddRun(const RunChange& change, OnStored on_stored) {
  return outbox_.Add({.tier = Tier::kEvents,
                      .kind = RecordKind::kRun,
                      .dictionary = hash_,
                      .payload = Encode(change),
                      .urgency = Urgency::kNow,
                      .on_stored = std::move(on_stored)});
}

bool Journal::AddEvent(const Event& event, OnStored on_stored) {
  const bool is_alarm = event.severity != Severity::kInfo;
  return outbox_.Add({.tier = Tier::kEvents,
                      .kind = RecordKind::kEvent,
                      .dictionary = {},
                      .payload = Encode(event),
                      .urgency = is_alarm ? Urgency::kAlarm : Urgency::kNow,
                      .on_stored = std::move(on_stored)});
}

bool Journal::AddSummaries(std::span<const Block> blocks) {
  if (blocks.empty()) return true;
  return outbox_.Add({.tier = Tier::kSummaries,
                      .kind = RecordKind::kSummary,
                      .dictionary = hash_,
                      .payload = EncodeBlocks(blocks, Packing::kNone)});
}

}  // namespace tacho
