// A line of NVIDIA's tegrastats, of any release, turned into readings.
//
// The line is taken apart token by token, so that a token nobody knows, or one that cannot be read,
// is counted and costs no other. Nothing is allocated once a TegrastatsLine has grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/metric.h"

namespace tacho {

// What a reading is about, and the unit of its value.
enum class TegrastatsKind : std::uint8_t {
  kRamUsed,           // bytes; MemTotal - MemFree - Buffers - Cached
  kRamTotal,          // bytes
  kLargestFreeBlock,  // bytes of one free block of the largest size
  kFreeBlocks,        // how many of them
  kSwapUsed,          // bytes
  kSwapTotal,         // bytes
  kSwapCached,        // bytes
  kIramUsed,          // bytes; memory of the video engine
  kIramTotal,         // bytes
  kCoreLoad,          // percent, by index
  kCoreFrequency,     // Hz, by index
  kGpuLoad,           // percent, by index of the graphics cluster; only the first has one today
  kGpuFrequency,      // Hz, by index of the graphics cluster
  kEmcLoad,           // percent of the memory bandwidth at the present clock
  kEmcFrequency,      // Hz
  kEngineLoad,        // percent, by name: "NVENC", "VIC"
  kEngineFrequency,   // Hz, by name
  kOptimiserLoad,  // percent, by name "fg" or "bg": the code optimiser of Denver and Carmel cores
  kTemperature,    // thousandths of a degree, by name of the zone
  kPower,          // milliwatts, by name of the rail; may be negative
};

struct TegrastatsReading {
  TegrastatsKind kind{};
  std::string_view name{};  // points into the line; a "_FREQ" at the end of an engine's is cut off
  int index = 0;            // of a core or graphics cluster
  std::int64_t value = 0;
  Why why = Why::kPresent;
};

// What one line said.
struct TegrastatsLine {
  // Far above any board's; what is over is counted in bad_fields.
  static constexpr std::size_t kMaxReadings = 1024;

  std::vector<TegrastatsReading> readings{};  // the first of each (kind, name, index)
  std::string_view stamp{};  // "10-26-2025 05:10:54": local time without zone, so text only
  // Whether the line has a token of memory, cores, memory controller or GPU that can be read.
  // Without one it is a warning, a comment or garbage, and has no readings.
  bool is_sample = false;

  int unknown_tokens = 0;  // words that no rule takes
  int bad_fields = 0;      // known tokens whose value cannot be read
  int ignored = 0;         // known to mean nothing: unconnected rails, placeholders, duplicates

  // The mean of each rail since tegrastats started. All at their value, and not all zero: the
  // program has just started.
  int rails = 0;
  int rails_at_mean = 0;
  bool has_power = false;  // a rail that is not zero
};

// `text` is one line with its newline: without it, its last word is not believed. Reuses `line`,
// whose names are valid as long as `text`.
void ParseTegrastats(std::string_view text, TegrastatsLine& line);

// Tells a restart of the program from its means. One per stream of lines.
class TegrastatsRestarts {
 public:
  // True if the lines before came from another life of the program.
  bool IsRestart(const TegrastatsLine& line);

 private:
  bool had_moved_ = false;  // the last line's means were not its values
};

}  // namespace tacho
