// Notices two machines under one name: boots that displace each other again and again.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include "common/ids.h"
#include "common/time.h"

namespace tacho {

// A restart brings a boot that was never seen; only a second machine brings a displaced one back.
class DoubleBootWatch {
 public:
  // True when with this Hello a displaced boot has come back for the third time in 10 minutes.
  bool SeesTwo(const std::string& robot, const BootId& boot, BootTime now);
  void Forget(const std::string& robot) { robots_.erase(robot); }

 private:
  struct Hellos {
    std::deque<BootId> boots;  // the last few distinct ones, newest last
    std::deque<BootTime> returns;
  };
  std::map<std::string, Hellos> robots_;
};

}  // namespace tacho
