// What `tacho --help` and `tacho COMMAND --help` print.
#include "cli/help.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "cli/settings.h"
#include "cli/usage.h"

namespace tacho {
namespace {

// "  left    right", the right side aligned.
std::string TwoColumns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = 0;
  for (const auto& [left, right] : rows) {
    width = std::max(width, left.size());
  }
  std::string text;
  for (const auto& [left, right] : rows) {
    text += fmt::format("  {:{}}  {}\n", left, width, right);
  }
  return text;
}

std::string OptionText(const OptionDef& option) {
  std::string text = option.letter != 0 ? fmt::format("-{}, ", option.letter) : "    ";
  text += fmt::format("--{}", option.name);
  if (!option.placeholder.empty()) text += fmt::format(" {}", option.placeholder);
  return text;
}

std::string Options(std::span<const OptionDef> options) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const OptionDef& option : options) {
    rows.emplace_back(OptionText(option), option.help);
  }
  return TwoColumns(rows);
}

std::string Indented(std::string_view lines) {
  std::string text = "  ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text + '\n';
}

}  // namespace

std::string UsageLine(const Command& command) {
  std::string text = fmt::format("tacho {}", command.path);
  std::string rest;
  for (const ArgumentDef& argument : command.arguments) {
    if (argument.takes_rest) {
      rest = fmt::format(" -- {}", argument.placeholder);
      continue;
    }
    text += argument.is_required ? fmt::format(" {}", argument.placeholder)
                                 : fmt::format(" [{}]", argument.placeholder);
    if (argument.is_repeatable) text += "...";
  }
  return text + " [OPTIONS]" + rest;
}

std::string HelpOfGroup(std::string_view group, std::span<const Command* const> commands) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Command* command : commands) {
    if (IsInGroup(*command, group)) rows.emplace_back(command->path, command->summary);
  }
  std::string text = group.empty()
                         ? "tacho: what the fleet's robots measured, and whether they kept their "
                           "budgets.\n"
                         : "";
  text += fmt::format("Usage: tacho {}COMMAND [OPTIONS]\n\nCommands:\n",
                      group.empty() ? "" : fmt::format("{} ", group));
  text += TwoColumns(rows);
  text += "\nOptions of every command:\n" + Options(GlobalOptions());
  text +=
      "\nStart with `tacho robots`. `tacho help COMMAND` has examples.\n"
      "Exit codes: 0 ok, 1 error, 2 usage, 3 not found, 4 not permitted, 5 unreachable; of "
      "check also 10 and 11.\n";
  return text;
}

std::string HelpOfCommand(const Command& command) {
  std::string text =
      fmt::format("tacho {}: {}.\nUsage: {}\n", command.path, command.summary, UsageLine(command));
  if (!command.details.empty()) text += fmt::format("\n{}\n", command.details);
  if (!command.arguments.empty()) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const ArgumentDef& argument : command.arguments) {
      rows.emplace_back(argument.placeholder, argument.help);
    }
    text += "\nArguments:\n" + TwoColumns(rows);
  }
  if (!command.options.empty()) text += "\nOptions:\n" + Options(command.options);
  text += "\nOptions of every command:\n" + Options(GlobalOptions());
  text += "\nExamples:\n" + Indented(command.examples);
  return text;
}

}  // namespace tacho
