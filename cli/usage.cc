// What is said to a user whose words name no command or option, with the nearest that exists.
#include "cli/usage.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/settings.h"
#include "common/toml.h"

namespace tacho {
namespace {

bool IsOption(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

std::string Meant(std::string_view word, const std::vector<std::string>& known) {
  const auto nearest = NearestWord(word, known);
  return nearest ? fmt::format(" Did you mean '{}'?", *nearest) : "";
}

// "--ouptut=json" names "--ouptut".
std::string_view NameOf(std::string_view option) {
  return option.substr(0, option.find('='));
}

std::vector<std::string> OptionNames(std::span<const OptionDef> own) {
  std::vector<std::string> names = {"--help", "--version"};
  for (const auto& options : {own, GlobalOptions()}) {
    for (const OptionDef& option : options) {
      names.push_back(fmt::format("--{}", option.name));
    }
  }
  return names;
}

Status UnknownOption(std::string_view word, std::string_view where,
                     std::span<const OptionDef> own) {
  return {Code::kInvalid, fmt::format("There is no option '{}' of `{}`.{}", NameOf(word), where,
                                      Meant(NameOf(word), OptionNames(own)))};
}

// The words that may follow `group`, and the whole commands below it.
std::vector<std::string> NextWords(std::string_view group,
                                   std::span<const Command* const> commands) {
  std::vector<std::string> words;
  for (const Command* command : commands) {
    if (!IsInGroup(*command, group) || command->path == group) continue;
    std::string_view rest = command->path.substr(group.empty() ? 0 : group.size() + 1);
    rest = rest.substr(0, rest.find(' '));
    if (std::find(words.begin(), words.end(), rest) == words.end()) words.emplace_back(rest);
  }
  if (group.empty()) words.emplace_back("help");
  return words;
}

}  // namespace

bool IsInGroup(const Command& command, std::string_view group) {
  return group.empty() || command.path == group ||
         (command.path.size() > group.size() && command.path.substr(0, group.size()) == group &&
          command.path[group.size()] == ' ');
}

std::vector<std::string> WithHelpAsOption(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

Status ExplainNoCommand(std::string_view group, const std::vector<std::string>& words,
                        std::span<const Command* const> commands) {
  const std::string where = group.empty() ? "tacho" : fmt::format("tacho {}", group);
  const auto option = std::find_if(words.begin(), words.end(), IsOption);
  if (words.empty()) {
    return {Code::kInvalid, fmt::format("`{}` needs a command: {}.", where,
                                        fmt::join(NextWords(group, commands), ", "))};
  }
  if (option == words.begin()) return UnknownOption(*option, where, {});
  return {Code::kInvalid, fmt::format("There is no command '{}' of `{}`.{}", words.front(), where,
                                      Meant(words.front(), NextWords(group, commands)))};
}

Status ExplainExtra(const Command& command, const std::vector<std::string>& words) {
  const std::string where = fmt::format("tacho {}", command.path);
  const auto option = std::find_if(words.begin(), words.end(), IsOption);
  const bool is_first = option == words.begin();
  const bool takes_rest = !command.arguments.empty() && command.arguments.back().takes_rest;
  if (option != words.end() && (is_first || !takes_rest)) {
    return UnknownOption(*option, where, command.options);
  }
  if (takes_rest) {
    return {Code::kInvalid,
            fmt::format("Write -- before '{}', so that no word of it is taken for one of `{}`.",
                        words.front(), where)};
  }
  return {Code::kInvalid, fmt::format("`{}` has no use for '{}': it takes {} {}.", where,
                                      words.front(), command.arguments.size(),
                                      command.arguments.size() == 1 ? "argument" : "arguments")};
}

}  // namespace tacho
