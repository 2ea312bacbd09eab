#include "server/housekeeper.h"

#include <fmt/format.h>
#include <utility>

#include "common/log.h"
#include "server/boot_end.h"
#include "server/run_book.h"

namespace tacho {
namespace {

constexpr std::size_t kRunsWeighed = 1000;

void LogFailure(const Status& status) {
  if (!status.ok()) Log(LogLevel::kError, status.message());
}

std::int64_t SecondsOf(Nanos span) {
  return std::chrono::duration_cast<std::chrono::seconds>(span).count();
}

// One unit of compaction; posts the next behind whatever arrived meanwhile.
void CompactNext(StoreWriter& writer, RunWriter& store, WallTime now) {
  const auto did = store.CompactSome(now);
  if (!did.ok()) {
    LogFailure(*did.error());
    return;
  }
  if (!*did) return;
  writer.Post([&writer, now](RunWriter& next) { CompactNext(writer, next, now); });
}

}  // namespace

Housekeeper::Housekeeper(Scheduler& loop, const Clock& clock, RunReader& store, StoreWriter& writer,
                         Presence& presence, RollupBook& rollups, Evaluator& evaluator,
                         Silence silence, HousekeeperConfig config)
    : loop_(loop),
      clock_(clock),
      store_(store),
      writer_(writer),
      presence_(presence),
      rollups_(rollups),
      evaluator_(evaluator),
      silence_(silence),
      config_(config) {}

void Housekeeper::Start() {
  Every(config_.contact_interval, [this] {
    NoteContacts();
    NoteSilence();
  });
  Every(config_.compaction_interval, [this] {
    Compact();
    WeighEnded();
  });
  Every(config_.retention_interval, [this] { RetireDays(); });
}

void Housekeeper::Every(Nanos interval, std::function<void()> step) {
  const std::size_t slot = timers_.size();
  timers_.emplace_back();
  const auto again = std::make_shared<std::function<void()>>();
  *again = [this, interval, slot, step = std::move(step),
            weak = std::weak_ptr<std::function<void()>>(again)] {
    step();
    // Owned by the timer that is due next, so that nothing outlives the housekeeper.
    const auto self = weak.lock();
    timers_[slot] = loop_.After(interval, [self] { (*self)(); });
  };
  timers_[slot] = loop_.After(interval, [again] { (*again)(); });
}

void Housekeeper::NoteContacts() {
  auto contacts = presence_.TakeFresh();
  if (contacts.empty()) return;
  writer_.Post([contacts = std::move(contacts)](RunWriter& store) {
    LogFailure(store.SaveContacts(contacts));
  });
}

void Housekeeper::NoteSilence() {
  // Who has not listened for so long cannot say that nobody spoke.
  if (silence_.listened() < silence_.allowed()) return;
  const auto robots = store_.Robots();
  if (!robots.ok()) {
    LogFailure(*robots.error());
    return;
  }
  for (const RobotRow& row : *robots) {
    if (row.is_retired || row.silent_since) continue;
    const auto silent = SilentOf(row);
    if (!silent) continue;
    Log(LogLevel::kWarning, fmt::format("{} is silent: {}", row.robot, silent->event.detail));
    writer_.Post([silent = *silent](RunWriter& store) {
      LogFailure(store.MarkSilent(silent.event, silent.since));
    });
  }
}

std::optional<Housekeeper::Silent> Housekeeper::SilentOf(const RobotRow& robot) {
  const WallTime now = clock_.Pair().wall;
  RobotEvent event{robot.robot, now, Severity::kWarning, "robot_silent", ""};
  const auto heard = presence_.LastHeard(robot.robot);
  if (!heard) {
    if (!robot.is_expected || now - robot.added < silence_.allowed()) return std::nullopt;
    event.detail = "expected, and never heard of";
    return Silent{std::move(event), robot.added};
  }
  const Nanos silent_for = silence_.Of(robot.robot);
  if (silent_for == Nanos{0}) return std::nullopt;
  const auto last_word = LastWordOf(robot);
  // One that took its leave is missed only where it is expected.
  if (last_word && IsLeave(*last_word) && !robot.is_expected) event.severity = Severity::kInfo;
  event.detail = fmt::format("no record for {} s{}", SecondsOf(silent_for),
                             Circumstances(robot, silent_for, last_word));
  return Silent{std::move(event), *heard};
}

std::string Housekeeper::Circumstances(const RobotRow& robot, Nanos silent_for,
                                       const std::optional<LastWord>& last_word) {
  if (presence_.IsConnected(robot.robot)) {
    return ", though its uplink is connected: its recorder may be dead";
  }
  if (last_word && IsLeave(*last_word)) return ": it took its leave (" + last_word->reason + ")";
  if (last_word) return ": its last word was \"" + last_word->reason + "\"";
  // While the server was away, nobody could take leave of it.
  if (silence_.listened() < silent_for) {
    return fmt::format("; the server itself has been there for {} s of it",
                       SecondsOf(silence_.listened()));
  }
  return ", and it took no leave";
}

std::optional<LastWord> Housekeeper::LastWordOf(const RobotRow& robot) {
  const auto boots = store_.Boots(robot.robot);
  if (!boots.ok()) {
    LogFailure(*boots.error());
    return std::nullopt;
  }
  for (const BootRow& boot : *boots) {
    const bool is_current = robot.current_boot && boot.key.boot == *robot.current_boot;
    if (is_current) return boot.last_word;
  }
  return std::nullopt;
}

void Housekeeper::WeighEnded() {
  RunBook book(store_);
  RunFilter filter;
  filter.with_idle = true;
  filter.limit = kRunsWeighed;
  const auto list = book.List(filter);
  if (!list.ok()) {
    LogFailure(*list.error());
    return;
  }
  for (const RunView& run : list->runs) {
    if (run.span.state == RunState::kOpen) continue;
    const auto standing = evaluator_.StandingOf(run);
    if (!standing.ok()) LogFailure(*standing.error());
  }
}

void Housekeeper::SaveRollups(const std::vector<BootKey>& boots) {
  RunBook book(store_);
  for (const BootKey& boot : boots) {
    const auto runs = book.RunsOf(boot);
    if (!runs.ok()) {
      LogFailure(*runs.error());
      continue;
    }
    for (const RunView& run : *runs) {
      const auto rollup = rollups_.Of(run.span);
      if (!rollup.ok()) {
        LogFailure(*rollup.error());
        continue;
      }
      writer_.Post([key = run.span.row.key, rollup = *rollup](RunWriter& store) {
        LogFailure(store.SaveRollup(key, Encode(*rollup)));
      });
    }
  }
}

// Rollups first: one that holds half of a chunk's rows would have to be made again from the start.
void Housekeeper::Compact() {
  const WallTime now = clock_.Pair().wall;
  writer_.Post([this, now](RunWriter& store) {
    auto due = store.CompactionDue(now);
    if (!due.ok()) {
      LogFailure(*due.error());
      return;
    }
    if (due->empty()) return;
    loop_.Post([this, now, boots = *std::move(due)] {
      SaveRollups(boots);
      writer_.Post([this, now](RunWriter& next) { CompactNext(writer_, next, now); });
    });
  });
}

// Rollups first here too: what a day held is gone with it.
void Housekeeper::RetireDays() {
  const WallTime oldest = clock_.Pair().wall - config_.retention;
  writer_.Post([this, oldest](RunWriter& store) {
    auto boots = store.BootsBefore(oldest);
    if (!boots.ok()) {
      LogFailure(*boots.error());
      return;
    }
    loop_.Post([this, oldest, boots = *std::move(boots)] {
      SaveRollups(boots);
      writer_.Post([oldest](RunWriter& next) { LogFailure(next.Retire(oldest)); });
    });
  });
}

}  // namespace tacho
