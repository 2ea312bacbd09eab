// The recorder's end of the spool: the only writer of segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/status.h"
#include "common/time.h"
#include "daemon/spool/boot_record.h"
#include "daemon/spool/disk.h"
#include "daemon/spool/lanes.h"
#include "daemon/spool/page_pair.h"
#include "daemon/spool/spool.h"

namespace tacho {

// What the folder says of how the recorder before this one ended.
enum class PreviousEnd : std::uint8_t {
  kUnknown,  // no disk, or the first start ever
  kClean,    // Close() was reached
  kUnclean,  // killed, crashed or power cut
};

// Keeps records on disk, or in memory while the disk refuses, until they are acknowledged or a
// limit is reached; every loss becomes a gap record. Lives on the spool thread.
class SpoolWriter {
 public:
  // Never fails: where the disk refuses, the writer keeps its records in memory and tries again
  // later. `random` gives epochs and segment ids. `disk` must outlive the writer.
  static std::unique_ptr<SpoolWriter> Open(const SpoolConfig& config, Disk& disk,
                                           const BootId& boot,
                                           std::function<std::uint64_t()> random, BootTime now);

  // Takes one record in. When it returns with a Seq, the record is in the page cache (it survives
  // the death of this process, not a power cut), or in memory if is_ram_only().
  // Fails only with kInvalid, for a payload that no segment can hold.
  Result<Seq> Append(Tier tier, RecordKind kind, DictionaryHash dictionary,
                     std::span<const std::byte> payload, BootTime now);
  // Success: all that was appended is on the disk. When to call it is the caller's policy.
  Status Sync(BootTime now);
  // Syncs and leaves the mark of a clean end. Nothing may be appended afterwards.
  Status Close(BootTime now);
  // Looks whether somebody took segments away, which no write tells of, and makes up for it: gap
  // records tell what is lost, and new segments are begun. Sync looks too, but only at the files in
  // use.
  void LookForLost();

  Epoch epoch() const { return identity_.epoch; }
  // False: this epoch was begun by a recorder of the same boot before, and its seqs go on.
  bool is_new_epoch() const { return is_new_epoch_; }
  // 0 until a disk could be read and written.
  std::uint64_t boot_counter() const { return identity_.boot_counter; }
  PreviousEnd previous_end() const;
  bool is_ram_only() const { return counters_.is_ram_only; }
  // The sentence of the last failure of the disk; empty where there was none since all was synced.
  const std::string& last_failure() const { return last_failure_; }
  // The largest payload that Append takes.
  std::size_t max_payload() const;

  // Sentences on what was found damaged, cut or foreign in the folder since the last call.
  std::vector<std::string> TakeWarnings() { return std::exchange(warnings_, {}); }

  const SpoolCounters& counters() const { return counters_; }
  // Records that the server has not acknowledged, in memory and on disk, by the ledger as it is
  // now; counters().bytes_used is brought up to date with it.
  std::uint64_t CountUnacknowledged();

 private:
  SpoolWriter(const SpoolConfig& config, Disk& disk, const BootId& boot,
              std::function<std::uint64_t()> random);

  Status Load();
  Status LoadBoot();
  void NameDamage(const Resumption& resumption);
  Status Mark(RecorderState state);
  void Continue(const Resumption& resumption);
  Status Write(BootTime now);
  Status TryWrite();
  Status Reclaim();
  void Fail(const Status& why);
  void KeepInMemory(BootTime now);
  void LimitMemory(BootTime now);

  SpoolConfig config_;
  Disk& disk_;
  PagePair boot_file_;
  RecorderState marked_ = RecorderState::kClean;  // what the boot file says of this recorder
  WriterIdentity identity_;
  bool is_new_epoch_ = true;
  bool is_loaded_ = false;
  bool is_trimmed_ = false;
  bool is_in_place_ = true;  // the folder and its boot file are those that were loaded
  bool knows_before_ = false;
  bool is_boot_damaged_ = false;
  std::optional<BootRecord> before_;  // as the recorder before this one left it
  SpoolCounters counters_;
  Lanes lanes_;
  BootTime retry_at_;
  Nanos retry_after_;
  std::string last_failure_;
  std::vector<std::string> warnings_;
};

}  // namespace tacho
