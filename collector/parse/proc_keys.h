// Files of /proc that hold one "Key: value unit" a line: meminfo and status.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tacho {

// The number behind "key:" in bytes if it is in kB, else as it stands. nullopt if there is no such
// key or no whole number.
std::optional<std::int64_t> ValueOfKey(std::string_view text, std::string_view key);

}  // namespace tacho
