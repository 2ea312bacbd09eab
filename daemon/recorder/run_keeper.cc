// Records each change of the runs, then notes it for the next recorder.
#include "daemon/recorder/run_keeper.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "common/log.h"

namespace tacho {
namespace {

double Seconds(Nanos span) {
  return std::chrono::duration<double>(span).count();
}

// Runs would have to follow each other a hundred times a second since the boot to get there.
std::uint32_t NumberNeverUsed(BootTime now) {
  return static_cast<std::uint32_t>(now.time_since_epoch() / std::chrono::milliseconds(10));
}

Event DownFrom(BootTime from, BootTime to) {
  return {.at = to,
          .severity = Severity::kWarning,
          .kind = "recorder_down",
          .detail = fmt::format("nothing was recorded for {:.1f} s, from {:.3f} s to {:.3f} s "
                                "after boot: the recorder had died and was started again",
                                Seconds(to - from), Seconds(from.time_since_epoch()),
                                Seconds(to.time_since_epoch()))};
}

}  // namespace

void RunKeeper::Begin(BootTime last_alive, BootTime now) {
  auto left = MayTouchFile()
                  ? file_.Load()
                  : Result<LeftBehind>(Status(Code::kNotFound, "it is another recorder's"));
  if (!left.ok() && left.error()->code() != Code::kNotFound) {
    Log(LogLevel::kWarning, left.error()->message());
  }
  std::optional<OpenRun> run;
  bool was_closed = true;
  if (left.ok() && left->boot == boot_) {
    run = left->run;
    was_closed = left->ended_clean;
    last_alive = std::max(last_alive, left->written_at);
  }
  // A recorder ran in this boot, and how far it counted is lost: a number must not be used twice.
  const bool is_count_lost = !left.ok() && MayTouchFile() &&
                             (left.error()->code() != Code::kNotFound || last_alive > BootTime{});
  if (is_count_lost) run = OpenRun{NumberNeverUsed(now), Runs::kIdle, now, {}};
  last_alive = std::min(last_alive, now);
  // Records that find no room are counted by the queue, ignored since the start goes on.
  (void)Record(runs_.Begin(run, was_closed, last_alive, now), nullptr);
  if (!was_closed || (is_count_lost && last_alive > BootTime{}))
    (void)journal_.AddEvent(DownFrom(last_alive, now));
  Save(now, false);
}

bool RunKeeper::Start(const std::string& name, Labels labels, BootTime now,
                      const Journal::OnStored& on_stored) {
  const bool is_taken = Record(runs_.Start(name, std::move(labels), now), on_stored);
  Save(now, false);
  return is_taken;
}

bool RunKeeper::Stop(BootTime now, const Journal::OnStored& on_stored) {
  const bool is_taken = Record(runs_.Stop(now), on_stored);
  Save(now, false);
  return is_taken;
}

void RunKeeper::End(BootTime now) {
  // A full queue is counted there, ignored since the recorder stops in any case.
  (void)Record(runs_.End(now), nullptr);
  Save(now, true);
}

// The last change is the one whose storing is told.
bool RunKeeper::Record(const std::vector<RunChange>& changes, const Journal::OnStored& on_stored) {
  bool is_taken = true;
  for (const RunChange& change : changes) {
    const bool is_last = &change == &changes.back();
    is_taken = journal_.AddRun(change, is_last ? on_stored : nullptr) && is_taken;
  }
  return is_taken;
}

void RunKeeper::Save(BootTime now, bool ended_clean) {
  const bool was_ok = file_status_.ok();
  if (MayTouchFile()) {
    file_status_ = file_.Save(
        {.boot = boot_, .run = runs_.open(), .written_at = now, .ended_clean = ended_clean});
  } else {
    file_status_ =
        Status(Code::kExists, "another recorder is at work on " + sole_->folder().string() +
                                  ": the open run is not noted");
  }
  if (was_ok && !file_status_.ok()) Log(LogLevel::kWarning, file_status_.message());
}

}  // namespace tacho
