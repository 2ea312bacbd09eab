// The order of an eviction is its safety: first the gap record is on the disk, then the segment
// goes.
#include "daemon/spool/lanes.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/dictionary.h"

namespace tacho {
namespace {

constexpr std::size_t kMaxPlaces = 256;

}  // namespace

Lanes::Lanes(const SpoolConfig& config, Disk& disk, std::function<std::uint64_t()> random,
             SpoolCounters& counters)
    : config_(config),
      random_(std::move(random)),
      counters_(counters),
      pool_(config, disk),
      ledger_(config.folder, disk),
      lanes_{Lane(pool_), Lane(pool_), Lane(pool_), Lane(pool_), Lane(pool_)} {}

Status Lanes::Load() {
  TACHO_TRY(pool_.Load());
  // A ledger that cannot be read only delays recycling, so its answer is ignored.
  (void)ledger_.Refresh();
  for (const auto& slot : pool_.slots()) {
    if (slot->state == HeaderState::kDamaged) ++counters_.damaged_segments;
  }
  return {};
}

Status Lanes::Resume(const Resumption& resumption) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const LaneEnd& end = resumption.ends[i];
    if (end.slot != nullptr) TACHO_TRY(lanes_[i].Resume(*end.slot, end.end));
  }
  return {};
}

Seq Lanes::Push(Tier tier, RecordKind kind, DictionaryHash dictionary,
                std::span<const std::byte> payload) {
  Lane& lane = lanes_[static_cast<std::size_t>(tier)];
  if (kind == RecordKind::kDictionary && tier == Tier::kEvents) {
    if (places_.size() >= kMaxPlaces) places_.clear();  // they only save repetitions
    places_[HashOf(payload)] = lane.segment() ? lane.segment()->header.ordinal : 0;
  }
  return lane.Push(kind, dictionary, payload);
}

bool Lanes::HasWaiting() const {
  return std::any_of(lanes_.begin(), lanes_.end(),
                     [](const Lane& lane) { return lane.has_waiting(); });
}

Status Lanes::WriteWaiting() {
  PushGaps();
  while (HasWaiting()) {
    for (int tier = 0; tier < kTiers; ++tier) {
      while (lanes_[static_cast<std::size_t>(tier)].has_waiting()) {
        TACHO_TRY(WriteOne(static_cast<Tier>(tier)));
      }
    }
    PushGaps();
  }
  return {};
}

Status Lanes::WriteOne(Tier tier) {
  Lane& lane = lanes_[static_cast<std::size_t>(tier)];
  TACHO_TRY(MakeFit(tier));
  // Making room may have written the events that waited.
  if (!lane.has_waiting()) return {};
  return Counted(lane.WriteNext(), counters_.write_failures);
}

Status Lanes::MakeFit(Tier tier) {
  Lane& lane = lanes_[static_cast<std::size_t>(tier)];
  while (lane.has_waiting() && !lane.FitsNext()) {
    if (Slot* slot = pool_.FindFree(); slot != nullptr) {
      TACHO_TRY(Begin(tier, *slot));
    } else {
      TACHO_TRY(EvictOne());
    }
  }
  return {};
}

Status Lanes::Begin(Tier tier, Slot& slot) {
  Lane& lane = lanes_[static_cast<std::size_t>(tier)];
  if (lane.has_segment()) TACHO_TRY(Counted(lane.Seal(), counters_.sync_failures));
  SegmentHeader header;
  do {
    header.id = random_();
  } while (header.id == 0);
  header.ordinal = pool_.NextOrdinal();
  header.stream = StreamOf(tier);
  header.boot_counter = identity_.boot_counter;
  header.first = lane.next().seq;
  header.dictionary = lane.next().dictionary;
  header.segment_bytes = slot.bytes;
  return Counted(lane.Start(slot, header), counters_.write_failures);
}

Status Lanes::EvictOne() {
  // A ledger that cannot be read only makes gaps larger than they are, so its answer is ignored.
  (void)ledger_.Refresh();
  Slot* victim = pool_.FindVictim(ledger_);
  if (victim == nullptr) {
    return {Code::kExhausted, "no segment is free and none may be evicted"};
  }
  if (!victim->is_accounted) TACHO_TRY(SayFarewell(*victim));
  return Counted(pool_.Free(*victim), counters_.write_failures);
}

Status Lanes::SayFarewell(Slot& victim) {
  const std::size_t most = static_cast<std::size_t>(config_.segment_bytes) / 4;
  const Farewell farewell = FarewellTo(pool_, victim, ledger_, places_, most);
  counters_.evicted_records += farewell.lost;
  for (const Gap& gap : farewell.gaps) {
    gaps_.Add(gap);
  }
  for (const auto& dictionary : farewell.dictionaries) {
    Push(Tier::kEvents, RecordKind::kDictionary, {}, dictionary);
  }
  victim.is_accounted = true;
  PushGaps();
  if (!events().has_waiting()) return {};
  TACHO_TRY(WriteEventsToReserve());
  return Counted(events().Sync(), counters_.sync_failures);
}

// Writes the events that wait as far as the segment in use and the reserve hold them. What is left,
// after a long time without a disk, follows as soon as the victim is free.
Status Lanes::WriteEventsToReserve() {
  while (events().has_waiting()) {
    if (!events().FitsNext()) {
      Slot* reserve = pool_.FindReserve();
      if (reserve == nullptr) return {};
      TACHO_TRY(Begin(Tier::kEvents, *reserve));
    }
    TACHO_TRY(Counted(events().WriteNext(), counters_.write_failures));
  }
  return {};
}

// At most a quarter of a segment at once, so that one fresh segment takes a whole farewell.
void Lanes::PushGaps() {
  if (gaps_.empty()) return;
  for (const Gap& gap : gaps_.Take(static_cast<std::size_t>(config_.segment_bytes) / 4)) {
    Push(Tier::kEvents, RecordKind::kGap, {}, Encode(gap));
  }
}

Status Lanes::Sync() {
  for (Lane& lane : lanes_) {
    if (!lane.is_dirty()) continue;
    TACHO_TRY(Counted(lane.Sync(), counters_.sync_failures));
    ++counters_.syncs;
  }
  return {};
}

Status Lanes::Trim() {
  while (pool_.IsOverLimit()) {
    TACHO_TRY(EvictOne());
  }
  return {};
}

void Lanes::GiveUpUnsynced() {
  for (Lane& lane : lanes_) {
    lane.GiveUpUnsynced();
  }
}

bool Lanes::IsInPlace() const {
  return std::all_of(lanes_.begin(), lanes_.end(),
                     [](const Lane& lane) { return lane.IsInPlace(); });
}

Lane* Lanes::WriterOf(const Slot& slot) {
  const auto lane = std::find_if(lanes_.begin(), lanes_.end(),
                                 [&](const Lane& each) { return each.segment() == &slot; });
  return lane == lanes_.end() ? nullptr : &*lane;
}

// The ends are looked up while all segments are still known: a segment's neighbour tells its end.
bool Lanes::ForgetLost(std::span<const std::string> names) {
  // A ledger that cannot be read only makes gaps larger than they are, so its answer is ignored.
  (void)ledger_.Refresh();
  std::vector<const Slot*> lost;
  for (const auto& slot : pool_.slots()) {
    Lane* const writer = WriterOf(*slot);
    const bool has_name = std::find(names.begin(), names.end(), slot->name) != names.end();
    if (has_name && (writer == nullptr || writer->IsInPlace())) continue;
    if (writer != nullptr) writer->Forsake();
    lost.push_back(slot.get());
    if (slot->state != HeaderState::kUsed || slot->is_accounted) continue;
    const StreamKey& stream = slot->header.stream;
    const Seq first = std::max(slot->header.first, ledger_.through(stream) + 1);
    const Seq end = pool_.EndOf(*slot);
    if (first >= end) continue;
    gaps_.Add({stream, {first, end - first}, "deleted"});
    counters_.lost_records += end - first;
  }
  if (lost.empty()) return false;
  for (const Slot* slot : lost) {
    pool_.Forget(*slot);
  }
  counters_.lost_segments += lost.size();
  places_.clear();  // dictionaries may have gone with them
  return true;
}

bool Lanes::IsAnchored() const {
  for (int tier = 0; tier < kTiers; ++tier) {
    const Lane& lane = lanes_[static_cast<std::size_t>(tier)];
    const auto is_of_tier = [&](const auto& slot) {
      return slot->state == HeaderState::kUsed &&
             slot->header.stream == StreamOf(static_cast<Tier>(tier));
    };
    const auto& slots = pool_.slots();
    if (lane.next_seq() > Seq{1} && std::none_of(slots.begin(), slots.end(), is_of_tier)) {
      return false;
    }
  }
  return true;
}

void Lanes::DropOldest() {
  for (int tier = kTiers - 1; tier >= 0; --tier) {
    Lane& lane = lanes_[static_cast<std::size_t>(tier)];
    if (lane.held() == 0) continue;
    const HeldRecord oldest = lane.DropOldest();
    ++counters_.ram_dropped_records;
    gaps_.Add({StreamOf(static_cast<Tier>(tier)), {oldest.seq, 1}, "ram_full"});
    if (oldest.kind != RecordKind::kGap) return;
    if (auto gap = DecodeGap(oldest.payload); gap.ok()) gaps_.Add(*gap);
    return;
  }
}

std::size_t Lanes::held_bytes() const {
  std::size_t total = 0;
  for (const Lane& lane : lanes_) {
    total += lane.held_bytes();
  }
  return total;
}

std::uint64_t Lanes::CountUnacknowledged() {
  // A ledger that cannot be read leaves what was known, so its answer is ignored.
  (void)ledger_.Refresh();
  std::uint64_t count = 0;
  counters_.bytes_used = 0;
  for (const auto& slot : pool_.slots()) {
    if (slot->state != HeaderState::kUsed) continue;
    const Seq first = std::max(slot->header.first, ledger_.through(slot->header.stream) + 1);
    const Seq end = pool_.EndOf(*slot);
    if (first >= end) continue;
    count += end - first;
    counters_.bytes_used += slot->bytes;
  }
  for (const Lane& lane : lanes_) {
    count += lane.waiting();
  }
  return count;
}

Status Lanes::Counted(Status status, std::uint64_t& failures) {
  if (!status.ok()) ++failures;
  return status;
}

}  // namespace tacho
