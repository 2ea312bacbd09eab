#include "server/housekeeper.h"

#include <fmt/format.h>
#include <utility>

#include "common/log.h"
#include "server/run_book.h"

namespace tacho {
namespace {

constexpr std::size_t kRunsWeighed = 1000;

void LogFailure(const Status& status) {
  if (!status.ok()) Log(LogLevel::kError, status.message());
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
      started_(clock.Boot()),
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
  if (clock_.Boot() - started_ < silence_.allowed()) return;
  const WallTime now = clock_.Pair().wall;
  const auto robots = store_.Robots();
  if (!robots.ok()) {
    LogFailure(*robots.error());
    return;
  }
  for (const RobotRow& row : *robots) {
    if (row.is_retired || row.silent_since) continue;
    const Nanos silent_for = silence_.Of(row.robot);
    if (silent_for == Nanos{0}) continue;
    const std::string detail =
        fmt::format("not heard of for {} s",
                    std::chrono::duration_cast<std::chrono::seconds>(silent_for).count());
    Log(LogLevel::kWarning, fmt::format("{} is silent: {}", row.robot, detail));
    writer_.Post([robot = row.robot, since = now - silent_for, now, detail](RunWriter& store) {
      LogFailure(store.MarkSilent(robot, since));
      LogFailure(store.SaveRobotEvent({robot, now, Severity::kWarning, "silent", detail}));
    });
  }
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
