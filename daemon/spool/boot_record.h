// What the spool's folder remembers of the recorder that last wrote to it: the boot, its number and
// how the recorder ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/ids.h"
#include "common/status.h"

namespace tacho {

inline constexpr std::uint64_t kBootMagic = 0x5452'4154'5348'4354;  // "TCHSTART" in the file

enum class RecorderState : std::uint8_t {
  kRunning = 1,   // at work, or ended without a word
  kClean = 2,     // closed in order
  kUnproven = 3,  // the disk failed it: files may lack what readers have seen
};

// Lies in the file "boot" (docs/formats/spool.md).
struct BootRecord {
  BootId boot;
  std::uint64_t counter = 0;
  RecorderState state = RecorderState::kRunning;
  bool operator==(const BootRecord&) const = default;
};

std::vector<std::byte> Encode(const BootRecord& record);
Result<BootRecord> DecodeBootRecord(std::span<const std::byte> bytes);

}  // namespace tacho
