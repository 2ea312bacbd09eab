// Takes the robots' streams in: greets, checks every record, hands it to the store's writer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/mutex.h"
#include "common/time.h"
#include "rpc/telemetry_service.h"
#include "server/check.h"
#include "server/double_boot.h"
#include "server/people.h"
#include "server/presence.h"
#include "server/store_writer.h"
#include "server/token_bucket.h"

namespace tacho {

struct IngestConfig {
  bool admits_any = true;           // false: only who is on the roster
  People people;                    // whose certificates are no robot's
  std::size_t most_robots = 10000;  // that were ever admitted
  CheckLimits limits;
  double bytes_per_second = 4 << 20;  // of one robot, over time
  double burst_bytes = 64 << 20;
  std::size_t streams_per_robot = 256;  // distinct boots, epochs and tiers in one connection
  Nanos quarantine = std::chrono::hours(1);
};

// Calls about one stream come one after the other; of different streams at once, on any thread.
class Ingest final : public TelemetryHandler {
 public:
  // All outlive it; RobotStreams are let go at the latest when it dies.
  Ingest(const Clock& clock, RunReader& store, StoreWriter& writer, Presence& presence,
         IngestConfig config);

  // Whom to admit from now on; the streams of all others end. Any thread.
  void UseRoster(const std::vector<RobotRow>& robots);

  void OnHello(std::shared_ptr<RobotStream> stream, const Hello& hello,
               const std::string& peer_name) override;
  void OnRecord(RobotStream& stream, Record record) override;
  void OnGoodbye(RobotStream& stream, const std::string& reason) override;
  void OnGone(RobotStream& stream) override;

 private:
  struct Session {
    std::shared_ptr<RobotStream> stream;  // shared: gRPC decides the end
    std::string robot;
    BootId boot;
    TokenBucket bytes;
    std::set<StreamKey> streams;
  };

  Status CheckHello(const Hello& hello, const std::string& peer_name);
  // kDenied: it is retired, or not on the roster where that is asked for.
  Status CheckRoster(const std::string& robot) const REQUIRES(mutex_);
  // Makes it the robot's stream and cuts the one before.
  Status Seat(const std::shared_ptr<RobotStream>& stream, const Hello& hello, WallTime now);
  void Greet(const std::shared_ptr<RobotStream>& stream, const Hello& hello, WallTime now);
  // kExhausted where it is one robot too many. Notes who is new.
  Status Admit(const std::string& robot, WallTime now);
  void StartQuarantine(const std::string& robot, WallTime now);
  std::shared_ptr<const Dictionary> DictionaryOf(DictionaryHash hash);
  void Remember(const Record& record);
  std::shared_ptr<Session> SessionOf(RobotStream& stream);
  // False: this robot sends too much for too long.
  bool Pay(Session& session, const Record& record);
  void Refuse(Session& session, const Record& record, const Status& why);

  const Clock& clock_;
  RunReader& store_;
  StoreWriter& writer_;
  Presence& presence_;
  const IngestConfig config_;
  Mutex mutex_;
  std::set<std::string> roster_ GUARDED_BY(mutex_);
  std::set<std::string> retired_ GUARDED_BY(mutex_);
  // shared: a stream may be cut by a newer one while its own call still runs.
  std::map<RobotStream*, std::shared_ptr<Session>> sessions_ GUARDED_BY(mutex_);
  std::map<std::string, RobotStream*> newest_ GUARDED_BY(mutex_);
  std::set<std::string> known_ GUARDED_BY(mutex_);  // robots that called before
  DoubleBootWatch double_boots_ GUARDED_BY(mutex_);
  std::map<std::string, WallTime> quarantined_until_ GUARDED_BY(mutex_);
  // Decoded, and maybe still on their way to the disk; the store has the last word.
  std::map<DictionaryHash, std::shared_ptr<const Dictionary>> arriving_ GUARDED_BY(mutex_);
};

}  // namespace tacho
