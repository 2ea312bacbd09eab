// Finds what happened across the fleet and puts it on the wall clock.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "server/clock.h"
#include "server/run_book.h"
#include "server/store/run_store.h"

namespace tacho {

struct EventQuestion {
  std::string kind = "*";  // glob
  Severity least = Severity::kInfo;
  std::optional<WallTime> since;
  std::optional<WallTime> until;
  std::size_t limit = 100;
};

struct FleetEvent {
  std::string robot;
  Event event;                  // `at` means something where a boot is named
  std::optional<BootKey> boot;  // nullopt: the server noted it, by its own clock
  WallEstimate wall;
  std::string run;  // "rb12/118/4"; empty where it is of none
};

struct EventList {
  std::vector<FleetEvent> events;  // newest first
  std::size_t more = 0;            // match too, and are older
  bool is_whole = true;            // false: too many events; the oldest were not looked at
};

// Reads the store for one question.
class EventBook {
 public:
  explicit EventBook(RunReader& store) : store_(store), runs_(store) {}

  // An event whose time nobody knows is in the list wherever it may belong there.
  Result<EventList> List(const std::vector<RobotRow>& robots, const EventQuestion& question);

 private:
  struct Placed {
    FleetEvent event;
    WallTime place;  // what orders it: its time, or the latest that it can be
  };
  struct Found;
  Status AddOfBoot(const BootView& boot, const EventQuestion& question, Found& found);
  Status AddOfServer(const std::string& robot, const EventQuestion& question, Found& found);
  Status NameRun(FleetEvent& event);

  RunReader& store_;
  RunBook runs_;
};

}  // namespace tacho
