// What `tacho --help` and `tacho COMMAND --help` print.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace tacho {

// All commands whose path begins with `group` ("local"); all of them where it is empty.
std::string HelpOfGroup(std::string_view group, std::span<const Command* const> commands);
std::string HelpOfCommand(const Command& command);
// "tacho check RUN [OPTIONS]"
std::string UsageLine(const Command& command);

}  // namespace tacho
