// How a run is named: "rb12/118/4", or "rb12@latest".
#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "common/status.h"

namespace tacho {

inline constexpr ArgumentDef kRunArgument = {
    .name = "run",
    .placeholder = "RUN",
    .help = "robot/boot/number as `tacho runs` prints it, or robot@latest, or robot@idle"};

// The name, or kInvalid with the form it should have. Whether the run exists is the server's to
// say.
Result<std::string> ParseRunName(std::string_view text);

}  // namespace tacho
