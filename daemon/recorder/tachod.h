// The whole recorder, put together from its configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/scheduler.h"
#include "common/time.h"
#include "daemon/recorder/board.h"
#include "daemon/recorder/liveness.h"
#include "daemon/recorder/local_desk.h"
#include "daemon/recorder/recorder.h"
#include "daemon/recorder/recorder_config.h"
#include "daemon/recorder/wake_socket.h"
#include "daemon/spool/disk.h"

namespace tacho {

// What the recorder needs of the world. All of it outlives the recorder.
struct TachodWorld {
  const Clock& clock;
  Scheduler& loop;
  Disk& disk;
  std::function<std::uint64_t()> random;  // any thread
  std::string agent;                      // "tachod 0.1.0"
};

// Loop thread. Whatever board, disk or configuration lack costs only itself.
class Tachod {
 public:
  Tachod(TachodWorld world, RecorderConfig config);

  void Start();
  // Takes over what may change while it runs: [setup] and the sync rates. Names in the log what
  // else differs and needs a restart.
  void Reload(const RecorderConfig& config);
  // Ends all that can be ended and calls `on_stopped` when the last of it is in the spool.
  void Stop(std::function<void()> on_stopped);
  // Whether no thread is stuck in a read or on the disk, so that destruction does not wait.
  bool MayBeDestroyed() { return board_.intake().has_ended() && spool_.has_ended(); }

  // Whether sweeps and spool go on: what the watchdog wants to know.
  bool IsAlive();
  Recorder& recorder() { return recorder_; }
  LocalDesk& desk() { return desk_; }

 private:
  std::unique_ptr<SpoolWorker> OpenSpool();
  void Tend();
  // Looks whether `is_done`, or the time is over, and goes on with `then`.
  void Await(std::function<bool()> is_done, BootTime until, std::function<void()> then);

  const TachodWorld world_;
  RecorderConfig config_;
  const BootId boot_;
  const BootTime started_;
  SoleRecorder sole_;
  Board board_;
  const std::unique_ptr<FlightRing> flight_;
  WakeSocket wake_;
  SpoolThread spool_;
  Recorder recorder_;
  LocalDesk desk_;
  Liveness liveness_;
  std::unique_ptr<Scheduler::Timer> timer_;
};

// What of two configurations differs and takes a restart, by the names of their tables.
std::vector<std::string> NeedsRestart(const RecorderConfig& now, const RecorderConfig& wanted);

}  // namespace tacho
