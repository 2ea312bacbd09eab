// main.db: writes what the event tier says, and what the server itself notes and judges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/store/database.h"
#include "server/store/rows.h"

namespace tacho {

// One writer of main.db. Writer thread. Every call is inside a Transaction of database().
class MainFile {
 public:
  explicit MainFile(Database database) : database_(std::move(database)) {}
  Database& database() { return database_; }
  // Forgets the boots it numbered: after a rollback.
  void Forget() { boots_.clear(); }

  Status AddRobot(const std::string& robot, WallTime now);
  Result<std::int64_t> BootRef(const BootKey& boot, WallTime now);  // adds it where it is new
  Result<std::int64_t> RunRef(const RunKey& run);                   // kNotFound

  // One event-tier record, without its mark. `missing` are the seqs of a gap that were not
  // committed.
  Status Add(const Arrival& arrival, const std::vector<SeqRange>& missing);
  Status AddMark(const StreamId& stream, SeqRange seqs, WallTime now);
  Status SeeBoot(std::int64_t boot, BootTime at);
  Status AddRobotEvent(const RobotEvent& event);

 private:
  Status AddDictionary(DictionaryHash hash, const Record& record);
  Status AddReport(std::int64_t boot, const Record& record, const BootReport& report);
  Status AddPair(std::int64_t boot, const ClockPair& pair);
  Status AddRun(std::int64_t boot, const Arrival& arrival, const RunChange& change);
  Status AddRunLabels(std::int64_t boot, const RunChange& change);
  Status AddEvent(std::int64_t boot, const Record& record, const Event& event);
  Status AddUnknown(std::int64_t boot, const Record& record);
  Status AddGap(const Arrival& arrival, const Gap& gap, const std::vector<SeqRange>& missing);
  Database database_;
  std::map<BootKey, std::int64_t> boots_;
};

}  // namespace tacho
