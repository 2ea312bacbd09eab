// Runs one command: its page to stdout, its complaint to stderr, and the exit code.
#pragma once

#include <iosfwd>

#include "cli/arguments.h"
#include "cli/command.h"

namespace tacho {

int Execute(const Command& command, const CommandArguments& arguments, CommandContext& context,
            std::ostream& out, std::ostream& err);

// "tacho: ..." on lines of its own, safe for a terminal. Returns the exit code for it.
int Complain(const Status& why, std::ostream& err);

}  // namespace tacho
