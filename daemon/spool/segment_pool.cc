// Slots are looked through whole at each question: there are tens of them, and questions are rare.
#include "daemon/spool/segment_pool.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace tacho {
namespace {

constexpr std::string_view kPrefix = "segment-";
constexpr std::size_t kDigits = 5;
// One for each tier to write to, the reserve, and two to evict.
constexpr std::int64_t kMinSegments = kTiers + 3;
constexpr std::int64_t kPage = 4096;
// A full disk is asked again after so many refusals: each try writes zeros until it fails.
constexpr int kRestsBeforeGrowing = 16;
// Names that could not be opened are not tried again, as long as there are few of them.
constexpr std::size_t kMostStrangers = 8;

// Where a slot stands among those that may go: the lowest goes first.
std::tuple<int, std::uint64_t> Rank(const Slot& slot, bool is_acknowledged) {
  if (slot.state != HeaderState::kUsed) return {0, 0};
  if (is_acknowledged) return {1, slot.header.ordinal};
  return {2 + kTiers - static_cast<int>(slot.header.stream.tier), slot.header.ordinal};
}

}  // namespace

SpoolConfig Normalized(SpoolConfig config) {
  config.max_bytes = std::max(config.max_bytes, kMinSegments * kMinSegmentBytes);
  const std::int64_t most = std::min(config.max_bytes / kMinSegments, kMaxSegmentBytes);
  config.segment_bytes = std::clamp(config.segment_bytes, kMinSegmentBytes, most) / kPage * kPage;
  config.ram_bytes = std::max(config.ram_bytes, kMinSegmentBytes);
  return config;
}

bool IsSegmentName(const std::string& name) {
  return name.size() == kPrefix.size() + kDigits && name.starts_with(kPrefix) &&
         std::all_of(name.begin() + kPrefix.size(), name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

SegmentPool::SegmentPool(const SpoolConfig& config, Disk& disk) : config_(config), disk_(disk) {}

Status SegmentPool::Load() {
  slots_.clear();
  strangers_.clear();
  ordinal_ = 0;
  auto names = disk_.List(config_.folder);
  if (!names.ok()) return std::move(names).status();
  for (const std::string& name : *names) {
    if (IsSegmentName(name)) LoadSlot(name);
  }
  return {};
}

// A file that twice cannot be read is damaged: it is the first to go, and its stream shows a hole.
void SegmentPool::LoadSlot(const std::string& name) {
  auto loaded = std::make_unique<Slot>();
  Slot& slot = *loaded;
  slot.name = name;
  slot.state = HeaderState::kDamaged;
  slots_.push_back(std::move(loaded));
  // The answer of the second try is ignored since `state` holds it.
  if (!LoadHeader(slot).ok()) (void)LoadHeader(slot);
  ordinal_ = std::max(ordinal_, slot.header.ordinal);
  // One whose zeros were never finished, or of another size than now, is not worth keeping.
  if (slot.state == HeaderState::kFree && slot.bytes != config_.segment_bytes) Discard(slot);
}

Status SegmentPool::LoadHeader(Slot& slot) const {
  auto file = OpenFile(slot);
  if (!file.ok()) return std::move(file).status();
  const auto size = (*file)->Size();
  if (!size.ok()) return *size.error();
  auto parsed = ReadHeader(**file);
  if (!parsed.ok()) return std::move(parsed).status();
  slot.bytes = *size;
  slot.state = parsed->state;
  slot.header = parsed->header;
  return {};
}

Result<std::unique_ptr<File>> SegmentPool::OpenFile(const Slot& slot) const {
  return disk_.Open(config_.folder / slot.name, Disk::Access::kWrite);
}

Result<SegmentScan> SegmentPool::Scan(const Slot& slot,
                                      const std::function<void(const Frame&)>& show) const {
  auto scan = ScanOnce(slot, show);
  if (!scan.ok()) scan = ScanOnce(slot, show);
  return scan;
}

Result<SegmentScan> SegmentPool::ScanOnce(const Slot& slot,
                                          const std::function<void(const Frame&)>& show) const {
  auto file = OpenFile(slot);
  if (!file.ok()) return std::move(file).status();
  return ScanSegment(**file, slot.header, show);
}

std::int64_t SegmentPool::TotalBytes() const {
  std::int64_t total = 0;
  for (const auto& slot : slots_) {
    total += slot->bytes;
  }
  return total;
}

std::size_t SegmentPool::CountFree() const {
  return static_cast<std::size_t>(std::count_if(
      slots_.begin(), slots_.end(), [](const auto& s) { return s->state == HeaderState::kFree; }));
}

Slot* SegmentPool::FindReserve() {
  for (const auto& slot : slots_) {
    if (slot->state == HeaderState::kFree) return slot.get();
  }
  return nullptr;
}

Slot* SegmentPool::FindFree() {
  while (CountFree() < 2) {
    if (Grow() == nullptr) return nullptr;
  }
  return FindReserve();
}

std::string SegmentPool::FreeName() const {
  for (int number = 0;; ++number) {
    std::string name = fmt::format("{}{:0{}}", kPrefix, number, kDigits);
    const bool is_taken = strangers_.contains(name) ||
                          std::any_of(slots_.begin(), slots_.end(),
                                      [&](const auto& other) { return other->name == name; });
    if (!is_taken) return name;
  }
}

// Makes a new file, filled with zeros. nullptr at the limit and where the disk has no room.
Slot* SegmentPool::Grow() {
  if (TotalBytes() + config_.segment_bytes > config_.max_bytes) return nullptr;
  if (rests_before_growing_ > 0) {
    --rests_before_growing_;
    return nullptr;
  }
  auto slot = std::make_unique<Slot>();
  slot->bytes = config_.segment_bytes;
  slot->name = FreeName();
  Status made;
  {
    auto file = disk_.Open(config_.folder / slot->name, Disk::Access::kCreate);
    // What stands in this place is no file of ours: another name, next time.
    if (!file.ok() && strangers_.size() < kMostStrangers) strangers_.insert(slot->name);
    made = file.ok() ? (*file)->FillZero(slot->bytes) : std::move(file).status();
  }
  if (made.ok()) made = disk_.SyncFolder(config_.folder);
  if (!made.ok()) {
    if (made.code() == Code::kExhausted) rests_before_growing_ = kRestsBeforeGrowing;
    // Its answer is ignored since the next start discards what is left of the file.
    (void)disk_.Remove(config_.folder / slot->name);
    return nullptr;
  }
  slots_.push_back(std::move(slot));
  return slots_.back().get();
}

bool SegmentPool::IsAcknowledged(Slot& slot, const LedgerReader& ledger) {
  return slot.state == HeaderState::kUsed && EndOf(slot) <= ledger.through(slot.header.stream) + 1;
}

Slot* SegmentPool::FindVictim(const LedgerReader& ledger) {
  Slot* victim = nullptr;
  std::tuple<int, std::uint64_t> lowest;
  for (const auto& slot : slots_) {
    if (slot->is_writing || slot->state == HeaderState::kFree) continue;
    const auto rank = Rank(*slot, IsAcknowledged(*slot, ledger));
    if (victim != nullptr && rank >= lowest) continue;
    victim = slot.get();
    lowest = rank;
  }
  // With nothing to evict, a disk that was full is the only hope.
  if (victim == nullptr) rests_before_growing_ = 0;
  return victim;
}

Status SegmentPool::Free(Slot& slot) {
  if (slot.is_suspect || slot.bytes != config_.segment_bytes || IsOverLimit()) return Remove(slot);
  auto file = OpenFile(slot);
  const std::vector<std::byte> zeros(kSegmentHeaderBytes);
  Status freed = file.ok() ? (*file)->Write(0, zeros) : std::move(file).status();
  if (!freed.ok()) return Remove(slot);
  Slot fresh;
  fresh.name = std::move(slot.name);
  fresh.bytes = slot.bytes;
  slot = std::move(fresh);
  return {};
}

Status SegmentPool::Remove(Slot& slot) {
  Status removed = disk_.Remove(config_.folder / slot.name);
  if (!removed.ok() && removed.code() != Code::kNotFound) return removed;
  Forget(slot);
  return {};
}

void SegmentPool::Forget(const Slot& slot) {
  rests_before_growing_ = 0;
  std::erase_if(slots_, [&](const auto& other) { return other.get() == &slot; });
}

void SegmentPool::Discard(Slot& slot) {
  if (Remove(slot).ok()) return;
  slot.state = HeaderState::kDamaged;
  slot.is_writing = false;
  slot.is_suspect = true;
}

Seq SegmentPool::EndOf(Slot& slot) {
  const SegmentHeader& own = slot.header;
  const Slot* next = nullptr;
  for (const auto& other : slots_) {
    if (other->state != HeaderState::kUsed || other->header.stream != own.stream ||
        other->header.ordinal <= own.ordinal) {
      continue;
    }
    if (next == nullptr || other->header.ordinal < next->header.ordinal) next = other.get();
  }
  if (next != nullptr && !slot.is_writing) return std::max(own.first, next->header.first);
  if (slot.end == Seq{}) {
    // What cannot be read holds nothing that could be named.
    const auto scan = Scan(slot);
    slot.end = scan.ok() ? scan->end.last + 1 : own.first;
  }
  return slot.end;
}

std::uint64_t SegmentPool::HighestBootCounter() const {
  std::uint64_t highest = 0;
  for (const auto& slot : slots_) {
    highest = std::max(highest, slot->header.boot_counter);
  }
  return highest;
}

}  // namespace tacho
