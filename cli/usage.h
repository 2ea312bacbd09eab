// What is said to a user whose words name no command or option, with the nearest that exists.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "common/status.h"

namespace tacho {

// Whether `command` is `group` itself or lies below it: "local run start" in "local".
bool IsInGroup(const Command& command, std::string_view group);

// "help check" asks the same as "check --help": the words without the leading "help", and with
// "--help" behind them. Other words stay as they are.
std::vector<std::string> WithHelpAsOption(std::vector<std::string> words);

// `group` is the part of the command that was understood ("local run"), `words` what is left.
Status ExplainNoCommand(std::string_view group, const std::vector<std::string>& words,
                        std::span<const Command* const> commands);
// A command was given words that it does not take. Requires: `words` is not empty.
Status ExplainExtra(const Command& command, const std::vector<std::string>& words);

}  // namespace tacho
