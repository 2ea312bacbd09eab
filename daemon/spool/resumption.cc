// Proof, not likelihood: a new epoch costs a few bytes, a seq used twice costs the truth.
#include "daemon/spool/resumption.h"

#include "daemon/spool/damage.h"

namespace tacho {
namespace {

const Slot* NewestOf(const SegmentPool& pool) {
  const Slot* newest = nullptr;
  for (const auto& slot : pool.slots()) {
    if (slot->state != HeaderState::kUsed) continue;
    if (newest == nullptr || slot->header.ordinal > newest->header.ordinal) newest = slot.get();
  }
  return newest;
}

Slot* NewestOf(const SegmentPool& pool, const StreamKey& stream) {
  Slot* newest = nullptr;
  for (const auto& slot : pool.slots()) {
    if (slot->state != HeaderState::kUsed || slot->header.stream != stream) continue;
    if (newest == nullptr || slot->header.ordinal > newest->header.ordinal) newest = slot.get();
  }
  return newest;
}

bool HasUnreadable(const SegmentPool& pool) {
  for (const auto& slot : pool.slots()) {
    if (slot->state == HeaderState::kDamaged || slot->state == HeaderState::kUnknown) return true;
  }
  return false;
}

// True if the tier's end is proven.
bool LookAt(const SegmentPool& pool, const StreamKey& stream, Seq acknowledged, Resumption& found) {
  LaneEnd& lane = found.ends[static_cast<std::size_t>(stream.tier)];
  lane.slot = NewestOf(pool, stream);
  if (lane.slot == nullptr) return acknowledged == Seq{};
  const auto scan = pool.Scan(*lane.slot);
  if (!scan.ok()) return false;
  lane.end = scan->end;
  for (const FrameDamage& damage : scan->damage) {
    found.warnings.push_back(SentenceOf(pool.PathOf(*lane.slot), damage));
    if (damage.missing.count > 0) found.damaged.push_back({stream, damage.missing, "damaged"});
  }
  return scan->is_clean && acknowledged <= scan->end.last;
}

}  // namespace

Resumption FindResumption(const SegmentPool& pool, const BootId& boot,
                          const std::optional<BootRecord>& before, const LedgerReader& ledger) {
  Resumption found;
  const Slot* newest = NewestOf(pool);
  if (newest == nullptr) return found;
  const StreamKey& last = newest->header.stream;
  const bool is_same_boot = last.boot == boot && before && before->boot == boot;
  // Nothing to continue, and nothing was lost.
  if (!is_same_boot && before && before->state == RecorderState::kClean) return found;
  found.epoch = last.epoch;
  found.is_proven =
      is_same_boot && before->state != RecorderState::kUnproven && !HasUnreadable(pool);
  for (int tier = 0; tier < kTiers; ++tier) {
    const StreamKey stream{last.boot, last.epoch, static_cast<Tier>(tier)};
    const bool is_proven = LookAt(pool, stream, ledger.through(stream), found);
    found.is_proven = found.is_proven && is_proven;
  }
  return found;
}

}  // namespace tacho
