// The script that completes what a user of bash types after `tacho`.
#pragma once

#include <span>
#include <string>

#include "cli/command.h"

namespace tacho {

// Completes commands, options and their choices from the table, files, and the names of robots and
// runs by asking `tacho` itself for at most a second. A name that the shell could take for anything
// but a word is left out.
std::string BashCompletion(std::span<const Command* const> commands);

}  // namespace tacho
