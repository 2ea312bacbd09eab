// The runs of one boot on its axis of time: every end worked out from what records said. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/rows.h"

namespace tacho {

enum class RunState : std::uint8_t { kOpen, kClosed, kUnclean };
std::string_view NameOf(RunState state);

struct RunSpan {
  RunRow row;
  RunState state{};
  std::string reason;  // why it ended
  BootTime from;       // rows in [from, to) belong to it
  BootTime to;
  BootTime ended;  // its end, or the last that was seen of it while it is open
};

// docs/formats/store.md, "Runs". `runs` are those of `boot`, by number. `is_newest`: the robot has
// called with no later boot.
std::vector<RunSpan> TimelineOf(const std::vector<RunRow>& runs, const BootRow& boot,
                                bool is_newest);

}  // namespace tacho
