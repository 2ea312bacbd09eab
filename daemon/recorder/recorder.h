// The recorder: takes in what is measured, folds it, and has it kept.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "collector/feeds/tegrastats_reader.h"
#include "daemon/recorder/channels.h"
#include "daemon/recorder/clock_keeper.h"
#include "daemon/recorder/flight_ring.h"
#include "daemon/recorder/health_report.h"
#include "daemon/recorder/intake.h"
#include "daemon/recorder/journal.h"
#include "daemon/recorder/latest.h"
#include "daemon/recorder/own_telemetry.h"
#include "daemon/recorder/row_check.h"
#include "daemon/recorder/run_keeper.h"
#include "daemon/recorder/spool_thread.h"
#include "daemon/recorder/summaries.h"

namespace tacho {

// What the recorder works with. All of it outlives the recorder.
struct RecorderParts {
  const Clock& clock;
  Channels& channels;
  Intake& intake;
  FlightRing& flight;
  SpoolThread& spool;
  const TegrastatsCounters* tegrastats = nullptr;  // of the feed, if there is one
  std::span<const SourceState> sources{};
  SoleRecorder* sole = nullptr;  // of the run file; nullptr: it is ours
};

// Loop thread.
class Recorder {
 public:
  Recorder(RecorderParts parts, RunFile run_file, BootId boot, Nanos telemetry_period);

  // Records dictionary, clocks and the open run.
  void Start();
  // Each kTick: nothing here waits for anything.
  void Tick();
  // Takes in what was measured since; Tick does so too.
  void TakeIn();
  // Clean end: takes in what was still measured, closes the run, lets the spool end.
  // Requires: the intake was stopped.
  void Stop();

  // The kernel says that the wall clock stepped.
  void LookAtClock();
  void AddEvent(const Event& event);
  // Without a line in the log. As Journal::AddEvent, and the next recorder will know that this one
  // lived until then.
  bool KeepEvent(const Event& event, Journal::OnStored on_stored);
  Journal& journal() { return journal_; }
  RunKeeper& runs() { return runs_; }

  // For those who report.
  const RecorderParts& parts() const { return parts_; }
  const Dictionary& dictionary() const { return dictionary_; }
  const Latest& latest() const { return latest_; }
  const ClockPair& clock_pair() const { return clock_keeper_.last(); }
  const RunKeeper& runs() const { return runs_; }
  const Journal& journal() const { return journal_; }
  BootId boot() const { return boot_; }
  std::uint64_t ticks() const { return ticks_; }
  // "118", or the first 8 digits of the boot_id while no disk gave a counter.
  std::string boot_name() const;

  static constexpr Nanos kTick = std::chrono::seconds(1);

 private:
  void TakeRow(const Row& read);
  // Records the dictionary if it changed; tried again where there is no room for it.
  void RefreshDictionary();
  void HandOverSummaries();
  void Report(const SamplerPool::Change& change);
  // Tells of sources that fare otherwise than before.
  void WatchHealth(BootTime now);
  // Tells of segments that somebody took away, and says again what went with them.
  void WatchSpool(BootTime now);
  void WatchDisk(const SpoolView& view, BootTime now);
  OwnNumbers CountOwn() const;

  const RecorderParts parts_;
  const BootId boot_;
  Journal journal_;
  RunKeeper runs_;
  ClockKeeper clock_keeper_;
  OwnTelemetry telemetry_;
  Dictionary dictionary_;
  std::uint64_t dictionary_version_ = 0;
  RowCheck check_;
  Summaries summaries_;
  Latest latest_;
  HealthWatch health_watch_;
  std::uint64_t lost_segments_ = 0;  // told of
  bool is_disk_refusing_ = false;    // the same
  std::uint64_t ticks_ = 0;
};

}  // namespace tacho
