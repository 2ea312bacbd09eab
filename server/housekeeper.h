// What the server does by itself: notices silence, weighs ended runs, compacts, retires old days.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/scheduler.h"
#include "common/time.h"
#include "server/evaluation.h"
#include "server/presence.h"
#include "server/rollup_book.h"
#include "server/store_writer.h"

namespace tacho {

struct HousekeeperConfig {
  Nanos retention = std::chrono::hours(24 * 90);
  Nanos contact_interval = std::chrono::seconds(10);
  Nanos compaction_interval = std::chrono::minutes(1);
  Nanos retention_interval = std::chrono::hours(1);
};

// Loop thread. Reads on it, and leaves every change to the writer's thread.
class Housekeeper {
 public:
  Housekeeper(Scheduler& loop, const Clock& clock, RunReader& store, StoreWriter& writer,
              Presence& presence, RollupBook& rollups, Evaluator& evaluator, Silence silence,
              HousekeeperConfig config);

  void Start();
  // The steps, as the timers call them.
  void NoteContacts();
  void NoteSilence();
  void Compact();
  void RetireDays();
  // Weighs every run of the newest `runs` that has ended, so that its standing is saved.
  void WeighEnded();

 private:
  // A silence to be noted, and when it began.
  struct Silent {
    RobotEvent event;
    WallTime since;
  };
  // nullopt: it speaks, or nobody expects it to.
  std::optional<Silent> SilentOf(const RobotRow& robot);
  // What is known of why: a leave that was taken, a connection that is still open.
  std::string Circumstances(const RobotRow& robot, Nanos silent_for,
                            const std::optional<LastWord>& last_word);
  // Said by the boot that called last, after it was last heard of.
  std::optional<LastWord> LastWordOf(const RobotRow& robot);
  void Every(Nanos interval, std::function<void()> step);
  // Loop thread: brings the rollups of these boots up to date and has them saved.
  void SaveRollups(const std::vector<BootKey>& boots);

  Scheduler& loop_;
  const Clock& clock_;
  RunReader& store_;
  StoreWriter& writer_;
  Presence& presence_;
  RollupBook& rollups_;
  Evaluator& evaluator_;
  const Silence silence_;
  const HousekeeperConfig config_;
  std::vector<std::unique_ptr<Scheduler::Timer>> timers_;
};

}  // namespace tacho
