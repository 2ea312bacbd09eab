// Manual pages from the table of commands, in the language of man(7).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace tacho {

// "tacho-local-run-start": what the page of a command is called.
std::string ManNameOf(const Command& command);
// tacho(1): all commands, the options of every command, exit codes, variables and files.
std::string ManPageOfProgram(std::span<const Command* const> commands, std::string_view version);
std::string ManPageOfCommand(const Command& command, std::string_view version);

}  // namespace tacho
