// Which boot this is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "common/ids.h"

namespace tacho {

// The kernel's boot_id as `text` of proc/sys/kernel/random/boot_id has it; where that is none (a
// fixture board), one made of `high` and `low`, which are random: each start is a boot then.
BootId BootIdOf(std::string_view text, std::uint64_t high, std::uint64_t low);

// Reads it below `system_root`.
BootId ReadBootId(const std::filesystem::path& system_root, std::uint64_t high, std::uint64_t low);

}  // namespace tacho
