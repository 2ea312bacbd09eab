// How a boot ended, as far as anybody said. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/record.h"
#include "server/store/rows.h"

namespace tacho {

enum class BootEnd : std::uint8_t {
  kOpen,     // the robot speaks from it
  kSilent,   // the robot's newest, and silent: nobody knows whether it ended
  kLeft,     // the same, but the sender took its leave
  kClean,    // the next boot found that its recorder had stopped in order
  kUnclean,  // the next boot found no farewell: killed, crashed or power cut
  kUnknown,  // another boot came after it; how it ended nobody knows
};
std::string_view NameOf(BootEnd end);

// What is known of what came after a boot.
struct AfterBoot {
  bool is_newest = false;
  bool is_silent = false;  // the robot
  // Of the boot that followed directly: its first report.
  std::optional<BootReport> next_report;
};

struct BootEnding {
  BootEnd end{};
  std::string detail;  // the words of who said so; empty: nobody
};

BootEnding EndingOf(const BootRow& boot, const AfterBoot& after);

// A sender that stops of its own accord says so; other last words tell of something wrong.
bool IsLeave(const LastWord& last_word);

}  // namespace tacho
