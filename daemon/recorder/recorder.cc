// What happens each second, and at start and end.
#include "daemon/recorder/recorder.h"

#include <utility>

#include "common/log.h"

namespace tacho {
namespace {

constexpr std::size_t kDigitsOfBootId = 8;

}  // namespace

Recorder::Recorder(RecorderParts parts, RunFile run_file, BootId boot, Nanos telemetry_period)
    : parts_(parts),
      boot_(boot),
      journal_(parts.spool.outbox()),
      runs_(journal_, std::move(run_file), boot, parts.sole),
      clock_keeper_(parts.clock),
      telemetry_(parts.channels, telemetry_period) {}

void Recorder::Start() {
  RefreshDictionary();
  LookAtClock();
  runs_.Begin(parts_.flight.last_alive_before(), parts_.clock.Boot());
}

void Recorder::Tick() {
  const BootTime now = parts_.clock.Boot();
  LookAtClock();
  TakeIn();
  for (const SamplerPool::Change& change : parts_.intake.Watch()) {
    Report(change);
  }
  WatchHealth(now);
  WatchSpool(now);
  if (telemetry_.IsDue(now)) TakeRow(telemetry_.RowOf(CountOwn(), now));
  summaries_.Tick(now);
  HandOverSummaries();
  parts_.flight.Beat(now);
  ++ticks_;
}

void Recorder::TakeIn() {
  parts_.intake.Drain([this](const Row& row) { TakeRow(row); });
}

void Recorder::Stop() {
  parts_.intake.DrainAll([this](const Row& row) { TakeRow(row); });
  summaries_.SealAll();
  HandOverSummaries();
  runs_.End(parts_.clock.Boot());
  parts_.spool.Stop();
}

void Recorder::LookAtClock() {
  const ClockKeeper::Note note = clock_keeper_.Look();
  if (note.stepped) AddEvent(*note.stepped);
  // A full queue is counted there, ignored since the next pair follows in a minute.
  if (note.pair) (void)journal_.AddClock(*note.pair);
}

void Recorder::AddEvent(const Event& event) {
  // A full queue is counted there, ignored since the event is in the log too.
  (void)KeepEvent(event, nullptr);
  Log(event.severity == Severity::kInfo ? LogLevel::kInfo : LogLevel::kWarning,
      event.kind + ": " + event.detail);
}

bool Recorder::KeepEvent(const Event& event, Journal::OnStored on_stored) {
  parts_.flight.Beat(event.at);
  return journal_.AddEvent(event, std::move(on_stored));
}

// A channel is in the book before its first reading is in a ring: the dictionary is refreshed in
// time by looking at each row.
void Recorder::TakeRow(const Row& read) {
  RefreshDictionary();
  const Row& row = check_.Checked(read);
  parts_.flight.Write(row, journal_.dictionary());
  summaries_.Add(row);
  latest_.Take(row);
}

void Recorder::RefreshDictionary() {
  const std::uint64_t version = parts_.channels.version();
  if (version == dictionary_version_) return;
  dictionary_ = parts_.channels.Snapshot();
  check_.Learn(dictionary_);
  if (journal_.AddDictionary(dictionary_)) dictionary_version_ = version;
}

// Numbers without their dictionary mean nothing: where the queue has no room for it, they are lost
// with it.
void Recorder::HandOverSummaries() {
  RefreshDictionary();
  const std::vector<Block> sealed = summaries_.Take();
  if (sealed.empty()) return;
  if (dictionary_version_ != parts_.channels.version()) {
    journal_.Refuse();
    return;
  }
  // A full queue is counted there, ignored since there is nowhere else to put them.
  (void)journal_.AddSummaries(sealed);
}

void Recorder::Report(const SamplerPool::Change& change) {
  const std::string name = "source " + change.source;
  AddEvent({.at = parts_.clock.Boot(),
            .severity = change.is_lost ? Severity::kWarning : Severity::kInfo,
            .kind = change.is_lost ? "sensor_lost" : "sensor_back",
            .detail = change.is_lost ? name + " does not return from a read; the others go on"
                                     : name + " returned and is read again"});
}

void Recorder::WatchHealth(BootTime now) {
  const auto all = HealthOfAll({parts_.sources, parts_.intake, dictionary_, latest_}, now);
  for (const Event& event : health_watch_.Look(all, now)) {
    AddEvent(event);
  }
}

// Once for each turn to the worse or the better.
void Recorder::WatchDisk(const SpoolView& view, BootTime now) {
  const SpoolCounters& counters = view.counters;
  if (counters.is_ram_only == is_disk_refusing_) return;
  is_disk_refusing_ = counters.is_ram_only;
  AddEvent({.at = now,
            .severity = is_disk_refusing_ ? Severity::kError : Severity::kInfo,
            .kind = is_disk_refusing_ ? "spool_refused" : "spool_back",
            .detail = is_disk_refusing_
                          ? view.last_failure + "; records are kept in memory until the disk takes"
                                                " them"
                          : "the disk takes records again; " +
                                std::to_string(counters.ram_dropped_records) +
                                " were dropped since the recorder started"});
}

void Recorder::WatchSpool(BootTime now) {
  const auto& view = parts_.spool.view();
  if (!view) return;
  WatchDisk(*view, now);
  if (view->counters.lost_segments == lost_segments_) return;
  lost_segments_ = view->counters.lost_segments;
  dictionary_version_ = 0;  // the one that is known may be gone
  RefreshDictionary();
  AddEvent({.at = now,
            .severity = Severity::kError,
            .kind = "spool_lost",
            .detail = LostSentence(view->counters)});
}

OwnNumbers Recorder::CountOwn() const {
  const auto count = [](std::uint64_t number) { return static_cast<std::int64_t>(number); };
  const SamplingCounters sampling = parts_.intake.samplers().counters();
  OwnNumbers own;
  own.ring_dropped = count(parts_.intake.dropped());
  own.records_dropped = count(journal_.refused());
  own.missed_sweeps = count(sampling.missed);
  own.parked_sources = count(sampling.parked);
  if (sampling.sweeps > 0) own.sweep_nanos = sampling.duration.count();
  own.channels_refused = count(parts_.channels.refused());
  own.flight_dropped = count(parts_.flight.dropped());
  if (const TegrastatsCounters* feed = parts_.tegrastats) {
    own.tegrastats_lines = count(feed->lines);
    own.tegrastats_noise = count(feed->noise);
    own.tegrastats_unknown = count(feed->unknown_tokens);
    own.tegrastats_bad = count(feed->bad_fields);
    own.tegrastats_restarts = count(feed->restarts);
    own.tegrastats_skipped = count(feed->skipped + feed->too_long);
  }
  const auto& view = parts_.spool.view();
  if (!view) return own;
  own.spool_bytes = view->counters.bytes_used;
  own.spool_unacknowledged = count(view->unacknowledged);
  own.spool_evicted = count(view->counters.evicted_records);
  own.spool_ram_dropped = count(view->counters.ram_dropped_records);
  own.spool_write_failures = count(view->counters.write_failures);
  own.spool_sync_failures = count(view->counters.sync_failures);
  return own;
}

std::string Recorder::boot_name() const {
  const auto& view = parts_.spool.view();
  if (view && view->boot_counter > 0) return std::to_string(view->boot_counter);
  return boot_.ToString().substr(0, kDigitsOfBootId);
}

}  // namespace tacho
