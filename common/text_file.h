// Reads a small file whole: a configuration, a note of our own, a key.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "common/status.h"

namespace tacho {

inline constexpr std::size_t kMostTextBytes = 1u << 20;

// Fails with kNotFound where nothing is there, kExhausted past `most_bytes` (a device never ends),
// else kUnavailable: "cannot read /etc/tacho: Is a directory".
Result<std::string> ReadTextFile(const std::filesystem::path& file,
                                 std::size_t most_bytes = kMostTextBytes);

}  // namespace tacho
