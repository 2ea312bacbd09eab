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
  void Opened(const std::string& robot, WallTime at);
  void Closed(const std::string& robot, WallTime at);
  void Heard(const std::string& robot, WallTime at);

  bool IsConnected(const std::string& robot) const;
  std::optional<WallTime> LastHeard(const std::string& robot) const;
  // Contacts since the last call: what main.db does not know yet.
  std::vector<std::pair<std::string, WallTime>> TakeFresh();

 private:
  struct Contact {
    int streams = 0;
    WallTime last;
    bool is_fresh = false;
  };
  mutable Mutex mutex_;
  std::map<std::string, Contact> contacts_ GUARDED_BY(mutex_);  // as many as robots are admitted
};

}  // namespace tacho
