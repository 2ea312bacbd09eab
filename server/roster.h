// Changes the roster while the server runs: on disk first, then in who may call.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/status.h"
#include "common/time.h"
#include "server/ingest.h"
#include "server/people.h"
#include "server/store/run_store.h"
#include "server/store_writer.h"

namespace tacho {

// What a person wants of one robot; what is absent stays as it is.
struct RosterChange {
  std::string robot;
  bool adds = false;  // puts it on the roster
  std::optional<bool> is_expected;
  std::optional<bool> is_retired;
  std::map<std::string, std::optional<std::string>> labels;  // nullopt takes one off
};

// The robot's entry after the change. `before` is the robot as it is known, if it is; `file` is the
// configuration, which decides for the robots that it names. Pure.
Result<RosterEntry> Changed(const RobotRow* before, const RosterChange& change,
                            const std::string& file);
// "retire rb12", "label rb12 site=M1 bay-": the change as the audit keeps it. Pure.
std::string Describe(const RosterChange& change);

// Any thread but the writer's.
class Roster {
 public:
  // All outlive it.
  Roster(const Clock& clock, RunReader& store, StoreWriter& writer, Ingest& ingest,
         const People& people, std::string file)
      : clock_(clock),
        store_(store),
        writer_(writer),
        ingest_(ingest),
        people_(people),
        file_(std::move(file)) {}

  // Makes what the configuration says the truth of those that it names.
  Status UseFile(const std::vector<RosterEntry>& entries);
  // Returns once it is on disk, in the audit, and in force. `who` is empty on a plain connection.
  Result<RosterEntry> Change(const RosterChange& change, const std::string& who);

 private:
  Status OnWriter(const std::function<Status(RunWriter&)>& write);
  Result<RosterEntry> Write(RunWriter& store, const RosterChange& change, const std::string& who);
  Status Enforce();

  const Clock& clock_;
  RunReader& store_;
  StoreWriter& writer_;
  Ingest& ingest_;
  const People& people_;
  const std::string file_;
};

}  // namespace tacho
