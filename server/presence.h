// Which robots are connected now, and when each was last heard of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/mutex.h"
#include "common/time.h"

namespace tacho {

// Any thread.
class Presence {
 public:
  void Opened(const std::string& robot);
  void Closed(const std::string& robot);
  // A record came: the only sign of life. An uplink calls also when its recorder is dead.
  void Heard(const std::string& robot, const ClockPair& now);
  // A contact of an earlier life of the server, as main.db knows it.
  void Remember(const std::string& robot, WallTime at);

  bool IsConnected(const std::string& robot) const;
  std::optional<WallTime> LastHeard(const std::string& robot) const;
  // The same on the server's boot clock, which nobody sets; nullopt: not in this life.
  std::optional<BootTime> HeardAt(const std::string& robot) const;
  // Contacts since the last call: what main.db does not know yet.
  std::vector<std::pair<std::string, WallTime>> TakeFresh();

 private:
  struct Contact {
    int streams = 0;
    std::optional<WallTime> last;
    std::optional<BootTime> heard;
    bool is_fresh = false;
  };
  mutable Mutex mutex_;
  std::map<std::string, Contact> contacts_ GUARDED_BY(mutex_);  // as many as robots are admitted
};

// Which robots have been silent for longer than they may. Any thread.
class Silence {
 public:
  Silence(const Clock& clock, const Presence& presence, Nanos allowed)
      : clock_(clock), presence_(presence), allowed_(allowed), listening_since_(clock.Boot()) {}
  // Time since the robot was last heard of; 0 within what is allowed, and where it never was. A
  // step of the server's wall clock makes nobody silent who was heard of since it started.
  Nanos Of(const std::string& robot) const;
  Nanos allowed() const { return allowed_; }
  // How long the server has been there to hear.
  Nanos listened() const { return clock_.Boot() - listening_since_; }

 private:
  const Clock& clock_;
  const Presence& presence_;
  const Nanos allowed_;
  const BootTime listening_since_;
};

}  // namespace tacho
