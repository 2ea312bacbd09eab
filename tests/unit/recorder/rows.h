// Short words for rows in the recorder's tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "daemon/recorder/row.h"

namespace tacho {

inline BootTime At(double seconds) {
  return BootTimeOf(static_cast<std::int64_t>(seconds * 1e9));
}

inline Cell Value(std::uint32_t channel, std::int64_t value) {
  return {.channel = ChannelId{channel}, .value = value, .why = Why::kPresent};
}

inline Cell Absent(std::uint32_t channel, Why why) {
  return {.channel = ChannelId{channel}, .value = 0, .why = why};
}

inline Row RowAt(double seconds, std::vector<Cell> cells, std::uint16_t group = 0) {
  return {.group = GroupId{group}, .at = At(seconds), .cells = std::move(cells)};
}

}  // namespace tacho
