// Keeps the runs of this boot: records their changes and leaves word for the next recorder.
#pragma once

#include <string>

#include "daemon/recorder/journal.h"
#include "daemon/recorder/run_file.h"
#include "daemon/recorder/runs.h"
#include "daemon/recorder/sole_recorder.h"

namespace tacho {

// Loop thread.
class RunKeeper {
 public:
  // The file is neither read nor written while `sole` is another recorder's; nullptr: it is ours.
  RunKeeper(Journal& journal, RunFile file, BootId boot, SoleRecorder* sole = nullptr)
      : journal_(journal), file_(std::move(file)), boot_(boot), sole_(sole) {}

  // Takes up what an earlier recorder of this boot left. `last_alive`: when it was last known to
  // live, as far as anything besides its file says.
  void Begin(BootTime last_alive, BootTime now);
  // False when the record found no room; `on_stored` is told otherwise.
  bool Start(const std::string& name, Labels labels, BootTime now,
             const Journal::OnStored& on_stored);
  // Requires: is_named().
  bool Stop(BootTime now, const Journal::OnStored& on_stored);
  // The recorder stops cleanly.
  void End(BootTime now);

  const OpenRun& open() const { return runs_.open(); }
  bool is_named() const { return runs_.is_named(); }
  // Why the file could not be written, when it last was to be.
  const Status& file_status() const { return file_status_; }

 private:
  bool Record(const std::vector<RunChange>& changes, const Journal::OnStored& on_stored);
  void Save(BootTime now, bool ended_clean);
  bool MayTouchFile() const { return sole_ == nullptr || sole_->Claim(); }

  Journal& journal_;
  const RunFile file_;
  const BootId boot_;
  SoleRecorder* const sole_;
  Runs runs_;
  Status file_status_;
};

}  // namespace tacho
