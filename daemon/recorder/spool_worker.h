// Puts records into the spool in the order that readers need, and syncs it in time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "common/time.h"
#include "daemon/recorder/outgoing.h"
#include "daemon/recorder/sync_policy.h"
#include "daemon/spool/spool_writer.h"

namespace tacho {

// How the spool is, for those who are not on its thread.
struct SpoolView {
  SpoolCounters counters;
  std::uint64_t boot_counter = 0;
  std::uint64_t unacknowledged = 0;
  PreviousEnd previous_end = PreviousEnd::kUnknown;
  std::string last_failure;
};

// "3 files of the spool were taken away ..."; empty if none was.
std::string LostSentence(const SpoolCounters& counters);

// Spool thread.
class SpoolWorker {
 public:
  // "There is something to send": a batch's worth, or at once.
  using Wake = std::function<void(bool is_urgent)>;

  // `report` is what is known without the spool; the spool's part of it is filled in here, and it
  // is the first record that is appended. (A writer's epoch never changes after its first record.)
  SpoolWorker(std::unique_ptr<SpoolWriter> writer, SyncConfig sync, BootReport report, Wake wake,
              BootTime now);

  Stored Append(const Outgoing& record, BootTime now);
  // Syncs and wakes if that is due.
  void Tend(BootTime now);
  // How long Tend has nothing to do, if nothing is appended.
  Nanos Patience(BootTime now) const;
  void Replace(SyncConfig sync) { policy_.Replace(sync); }
  void Close(BootTime now);

  SpoolView View() const;

  static constexpr Nanos kBatchEvery = std::chrono::seconds(10);

 private:
  void ReportBoot(BootReport report, BootTime now);
  void CountUnacknowledged(BootTime now);
  // Into the journal with what was found damaged.
  void SayWarnings();

  const std::unique_ptr<SpoolWriter> writer_;
  SyncPolicy policy_;
  const Wake wake_;
  std::optional<BootTime> batch_since_;  // since when something waits for the uplink
  std::uint64_t unacknowledged_ = 0;
  BootTime counted_at_;
};

}  // namespace tacho
