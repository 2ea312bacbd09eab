// /proc/PID/statm: the memory of a process, in pages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tacho {

// The second number: pages that are in memory now.
std::optional<std::int64_t> ResidentPages(std::string_view statm);

}  // namespace tacho
