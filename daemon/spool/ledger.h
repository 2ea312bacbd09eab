// What the server has acknowledged of each stream: written by the uplink, read by everybody.
//
// Losing it costs only a repetition, which the server refuses; so acks are not synced.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/ids.h"
#include "common/status.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/page_pair.h"
#include "daemon/spool/spool.h"

namespace tacho {

// All seqs up to `through` are committed by the server or named by a gap that is.
struct LedgerEntry {
  StreamKey stream;
  Seq through{};
  auto operator<=>(const LedgerEntry&) const = default;
};

// More streams than this: the one that was acknowledged longest ago is forgotten.
inline constexpr std::size_t kMaxLedgerEntries = 120;

std::vector<std::byte> EncodeLedger(std::span<const LedgerEntry> entries);
Result<std::vector<LedgerEntry>> DecodeLedger(std::span<const std::byte> bytes);

// Follows the ledger of a folder. One thread.
class LedgerReader {
 public:
  LedgerReader(const std::filesystem::path& folder, Disk& disk);

  // Reads it again. A ledger that is absent or damaged holds nothing; a failing disk leaves what
  // was known.
  Status Refresh();
  // Seq{0}: nothing yet.
  Seq through(const StreamKey& stream) const;
  const std::vector<LedgerEntry>& entries() const { return entries_; }

 private:
  PagePair pages_;
  std::vector<LedgerEntry> entries_;
};

// The uplink's end: the only writer. One thread.
class Ledger {
 public:
  Ledger(const std::filesystem::path& folder, Disk& disk);

  // Takes over what is written there. Fails when the disk refuses, or with kExists while another
  // process writes it; then Acknowledge tries again.
  Status Open();
  // The file and what is wrong with it, where Open found it damaged: it then counts as empty.
  std::string Complaint() const;
  // Raises a stream's mark and writes it, unsynced; a lower mark changes nothing. On a failure the
  // mark holds in memory and goes out with the next one.
  Status Acknowledge(const StreamKey& stream, Seq through);
  Seq through(const StreamKey& stream) const;
  // Forgets the streams that are not among `present`; written with the next Acknowledge.
  void KeepOnly(std::span<const SpooledStream> present);

 private:
  bool Raise(const StreamKey& stream, Seq through);

  PagePair pages_;
  bool is_loaded_ = false;
  bool is_damaged_ = false;
  std::vector<LedgerEntry> entries_;  // longest untouched first
};

}  // namespace tacho
