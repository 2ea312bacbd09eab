// Entries lie oldest first in one page: boot id, epoch, tier and mark.
#include "daemon/spool/ledger.h"

#include <algorithm>
#include <utility>

#include "common/bytes.h"

namespace tacho {
namespace {

constexpr std::uint64_t kLedgerMagic = 0x5245'4744'454c'4354;  // "TCLEDGER" in the file
constexpr char kLedgerName[] = "ledger";

template <class Entries>
auto Find(Entries& entries, const StreamKey& stream) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const LedgerEntry& entry) { return entry.stream == stream; });
}

Seq ThroughOf(const std::vector<LedgerEntry>& entries, const StreamKey& stream) {
  const auto it = Find(entries, stream);
  return it == entries.end() ? Seq{} : it->through;
}

// A damaged ledger counts as none: the server refuses what is sent to it twice.
std::vector<LedgerEntry> EntriesOf(const std::optional<std::vector<std::byte>>& value) {
  if (!value) return {};
  auto entries = DecodeLedger(*value);
  return entries.ok() ? *std::move(entries) : std::vector<LedgerEntry>{};
}

}  // namespace

std::vector<std::byte> EncodeLedger(std::span<const LedgerEntry> entries) {
  Bytes out;
  ByteWriter writer(out);
  writer.Varint(entries.size());
  for (const LedgerEntry& entry : entries) {
    writer.Raw(std::as_bytes(std::span(entry.stream.boot.bytes)));
    writer.U64(Number(entry.stream.epoch));
    writer.U8(static_cast<std::uint8_t>(entry.stream.tier));
    writer.U64(Number(entry.through));
  }
  return out;
}

Result<std::vector<LedgerEntry>> DecodeLedger(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const std::uint64_t count = reader.Varint();
  std::vector<LedgerEntry> entries;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kMaxLedgerEntries); ++i) {
    LedgerEntry entry;
    for (std::uint8_t& byte : entry.stream.boot.bytes) {
      byte = reader.U8();
    }
    entry.stream.epoch = Epoch{reader.U64()};
    const std::uint8_t tier = reader.U8();
    entry.stream.tier = static_cast<Tier>(tier);
    entry.through = Seq{reader.U64()};
    if (!reader.ok() || tier >= kTiers) break;
    entries.push_back(entry);
  }
  if (!reader.ok() || entries.size() != count) {
    return Status(Code::kCorrupt,
                  "ledger: a value is out of range at byte " + std::to_string(reader.offset()));
  }
  return entries;
}

LedgerReader::LedgerReader(const std::filesystem::path& folder, Disk& disk)
    : pages_(folder / kLedgerName, kLedgerMagic, disk) {}

Status LedgerReader::Refresh() {
  auto value = pages_.Load();
  if (!value.ok()) return std::move(value).status().Under("read the ledger");
  entries_ = EntriesOf(*value);
  return {};
}

Seq LedgerReader::through(const StreamKey& stream) const {
  return ThroughOf(entries_, stream);
}

Ledger::Ledger(const std::filesystem::path& folder, Disk& disk)
    : pages_(folder / kLedgerName, kLedgerMagic, disk) {}

Status Ledger::Open() {
  TACHO_TRY(pages_.OpenToWrite(Disk::Access::kExclusive).Under("open the ledger"));
  auto value = pages_.Load();
  if (!value.ok()) return std::move(value).status().Under("read the ledger");
  is_damaged_ = pages_.is_damaged() || (*value && !DecodeLedger(**value).ok());
  for (const LedgerEntry& entry : EntriesOf(*value)) {
    Raise(entry.stream, entry.through);
  }
  is_loaded_ = true;
  return {};
}

std::string Ledger::Complaint() const {
  if (!is_damaged_) return "";
  return pages_.path().string() +
         ": no whole page at byte 0 or 4096; what it acknowledged is offered to the server again";
}

// True if that changed anything.
bool Ledger::Raise(const StreamKey& stream, Seq through) {
  const auto it = Find(entries_, stream);
  if (it == entries_.end()) {
    if (entries_.size() == kMaxLedgerEntries) entries_.erase(entries_.begin());
    entries_.push_back({stream, through});
    return true;
  }
  if (through <= it->through) return false;
  it->through = through;
  std::rotate(it, it + 1, entries_.end());
  return true;
}

Status Ledger::Acknowledge(const StreamKey& stream, Seq through) {
  if (!Raise(stream, through)) return {};
  if (!is_loaded_) TACHO_TRY(Open());
  return pages_.Store(EncodeLedger(entries_)).Under("write the ledger");
}

Seq Ledger::through(const StreamKey& stream) const {
  return ThroughOf(entries_, stream);
}

void Ledger::KeepOnly(std::span<const SpooledStream> present) {
  std::erase_if(entries_, [&](const LedgerEntry& entry) {
    return std::none_of(present.begin(), present.end(),
                        [&](const SpooledStream& kept) { return kept.key == entry.stream; });
  });
}

}  // namespace tacho
