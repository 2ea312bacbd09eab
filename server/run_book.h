// Finds runs by name and puts them on their boot's timeline and clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/clock.h"
#include "server/store/run_store.h"
#include "server/timeline.h"

namespace tacho {

// A run with what gives its times a meaning.
struct RunView {
  RunSpan span;
  BootRow boot;
  std::vector<ClockPair> pairs;
  std::optional<WallTime> not_after;  // when the robot's next boot began, where that is known
  WallEstimate WallAt(BootTime at) const { return WallOf(at, pairs); }
};

// A boot with what gives its times a meaning.
struct BootView {
  BootRow row;
  std::vector<ClockPair> pairs;
  std::optional<WallTime> not_after;  // when the robot's next boot began, where that is known
  bool is_newest = false;
  WallEstimate WallAt(BootTime at) const { return WallOf(at, pairs); }
};

// "rb12/118/4"; where no disk could keep a counter, the first 8 digits of the boot_id stand for it.
std::string NameOfBoot(const BootRow& boot);
std::string NameOfRun(const RunView& run);

struct RunFilter {
  std::string robot = "*";  // globs
  std::string name = "*";
  std::optional<WallTime> since;  // runs that ended at or after it, or have not
  std::optional<WallTime> until;  // runs that opened at or before it
  bool with_idle = false;
  std::size_t limit = 100;
};

struct RunList {
  std::vector<RunView> runs;  // newest first
  bool has_more = false;
};

// Reads the store for one question; remembers boots while it lives.
class RunBook {
 public:
  explicit RunBook(RunReader& store) : store_(store) {}

  // kNotFound or kInvalid with a sentence. "rb12@latest": the newest run that is not idle, else the
  // newest; "rb12@idle".
  Result<RunView> Find(const std::string& name);
  Result<RunList> List(const RunFilter& filter);
  // Of one boot, by number.
  Result<std::vector<RunView>> RunsOf(const BootKey& boot);
  // All of one robot, newest boot and number first.
  Result<std::vector<RunView>> RunsOf(const std::string& robot);
  // Of one robot, in the order in which they ran, the one with which it called last at the end;
  // without those that were surely over before `since`.
  Result<std::vector<BootView>> BootsOf(const std::string& robot,
                                        std::optional<WallTime> since = std::nullopt);
  // The boot with which the robot called last; nullopt where it never called.
  Result<std::optional<BootRow>> NewestBoot(const std::string& robot);

 private:
  struct Boots {
    std::vector<BootRow> rows;  // in the order in which they ran, the robot's newest last
  };
  Result<const Boots*> RowsOf(const std::string& robot);
  Result<const RobotRow*> RobotOf(const std::string& robot);  // null: nobody knows it
  Result<std::optional<WallTime>> BeginOfNext(const Boots& boots, const BootKey& boot);
  Result<RunView> FindNumbered(const std::string& name);
  Result<RunView> FindNamed(const std::string& robot, const std::string& which);

  RunReader& store_;
  std::optional<std::map<std::string, RobotRow>> robots_;  // read once
  std::map<std::string, Boots> boots_;
  std::map<BootKey, std::vector<RunView>> runs_;
};

}  // namespace tacho
