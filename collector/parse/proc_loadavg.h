// /proc/loadavg: how many threads wanted a CPU, over 1, 5 and 15 minutes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tacho {

// "0.42 1.07 0.90 2/318 4711\n" -> hundredths {42, 107, 90}.
std::optional<std::array<std::int64_t, 3>> ParseLoadAverages(std::string_view text);

}  // namespace tacho
