// /proc/stat: how long each core was busy and idle since boot.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tacho {

// One cpu line: ticks since boot. Only differences of two readings mean anything.
struct CpuTicks {
  int core = kAllCores;
  std::int64_t busy = 0;
  std::int64_t total = 0;  // busy, idle and waiting for disks
  static constexpr int kAllCores = -1;
};

// Takes the next cpu line from `text`; nullopt, and nothing taken, when the line at its start is of
// another kind or not whole.
std::optional<CpuTicks> TakeCpuTicks(std::string_view& text);

}  // namespace tacho
