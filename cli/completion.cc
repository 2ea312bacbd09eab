#include "cli/completion.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>
#include <vector>

#include "cli/settings.h"

namespace tacho {
namespace {

// What may stand in a place: "words:table tsv", "robot", "run", "file", "folder", "program";
// "value" where nobody can know.
std::string KindOf(std::string_view name, std::string_view placeholder, std::string_view choices) {
  if (!choices.empty()) return fmt::format("words:{}", choices);
  if (placeholder.find("RUN") != std::string_view::npos) return "run";
  if (name == "robot") return "robot";
  if (placeholder == "FILE" || placeholder == "PATH") return "file";
  if (placeholder == "FOLDER") return "folder";
  return "value";
}

// A line of a case statement.
std::string Case(std::string_view pattern, std::string_view prints) {
  return fmt::format("    '{}') echo '{}' ;;\n", pattern, prints);
}

std::string Function(std::string_view name, const std::string& cases) {
  return fmt::format("{}() {{\n  case $1 in\n{}  esac\n}}\n\n", name, cases);
}

// The words that may follow each part of a command: "local" is followed by "run", "status", "tail".
std::string NextWords(std::span<const Command* const> commands) {
  std::map<std::string, std::vector<std::string>> next;
  for (const Command* command : commands) {
    std::string path(command->path);
    for (;;) {
      const std::size_t blank = path.rfind(' ');
      const std::string before = blank == std::string::npos ? "" : path.substr(0, blank);
      const std::string word = path.substr(blank == std::string::npos ? 0 : blank + 1);
      std::vector<std::string>& words = next[before];
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
      if (before.empty()) break;
      path = before;
    }
  }
  next[""].emplace_back("help");
  std::string cases;
  for (const auto& [path, words] : next)
    cases += Case(path, fmt::format("{}", fmt::join(words, " ")));
  return Function("__tacho_next", cases);
}

std::string OptionNames(std::span<const OptionDef> options) {
  std::string names;
  for (const OptionDef& option : options)
    names += fmt::format("{}--{}", names.empty() ? "" : " ", option.name);
  return names;
}

std::string Options(std::span<const Command* const> commands) {
  std::string cases;
  for (const Command* command : commands) {
    if (!command->options.empty()) cases += Case(command->path, OptionNames(command->options));
  }
  return Function("__tacho_options", cases);
}

// "runs --since": what its value is. A flag has none.
std::string ValueCases(std::string_view path, std::span<const OptionDef> options) {
  std::string cases;
  for (const OptionDef& option : options) {
    if (option.placeholder.empty()) continue;
    const std::string kind = KindOf(option.name, option.placeholder, option.choices);
    cases += Case(fmt::format("{} --{}", path, option.name), kind);
    if (option.letter != 0) cases += Case(fmt::format("{} -{}", path, option.letter), kind);
  }
  return cases;
}

std::string Values(std::span<const Command* const> commands) {
  std::string cases;
  for (const Command* command : commands)
    cases += ValueCases(command->path, command->options);
  return Function("__tacho_value", cases) +
         Function("__tacho_global_value", ValueCases("", GlobalOptions()));
}

// "check 1": what its first argument is.
std::string Places(std::span<const Command* const> commands) {
  std::string cases;
  for (const Command* command : commands) {
    for (std::size_t i = 0; i < command->arguments.size(); ++i) {
      const ArgumentDef& argument = command->arguments[i];
      if (argument.takes_rest) continue;
      cases += Case(fmt::format("{} {}", command->path, i + 1),
                    KindOf(argument.name, argument.placeholder, argument.choices));
    }
  }
  return Function("__tacho_place", cases);
}

constexpr std::string_view kLook =
    R"script(# Names that the server knows, if it says them within a second; none but plain words.
__tacho_ask() {
  local name
  while IFS= read -r name && [ -n "$name" ]; do
    [[ $name =~ ^[A-Za-z0-9_./@-]+$ ]] && echo "$name"
  done < <(timeout 1 "${COMP_WORDS[0]}" "$@" -o tsv 2>/dev/null </dev/null | cut -f1 | head -n 500)
}

# Those of the lines on stdin that begin as the word at the cursor does.
__tacho_offer() {
  local line
  while IFS= read -r line; do
    [[ $line == "$cur"* ]] && COMPREPLY+=("$line")
  done
}

_tacho() {
  local cur=${COMP_WORDS[COMP_CWORD]} path= kind= word= places=0 is_rest= i
  COMPREPLY=()
  [[ $cur == '=' ]] && cur=
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    [[ $word == '=' ]] && continue
    if [[ -n $kind ]]; then
      kind=
    elif [[ $word == -- ]]; then
      is_rest=$((i + 1))
      break
    elif [[ $word == -* ]]; then
      kind=$(__tacho_value "$path $word")
      [[ -n $kind ]] || kind=$(__tacho_global_value " $word")
    elif [[ " $(__tacho_next "$path") " == *" $word "* ]]; then
      [[ $word == help ]] || path=${path:+$path }$word
    else
      places=$((places + 1))
    fi
  done
  if [[ -n $is_rest ]]; then
    kind=file
    [[ $is_rest == "$COMP_CWORD" ]] && kind=program
  elif [[ -z $kind && $cur == -* ]]; then
    kind="words:$(__tacho_options "$path") $GLOBALS --help"
  elif [[ -z $kind && $places == 0 && -n $(__tacho_next "$path") ]]; then
    kind="words:$(__tacho_next "$path")"
  elif [[ -z $kind ]]; then
    kind=$(__tacho_place "$path $((places + 1))")
  fi
  case $kind in
    words:*) __tacho_offer < <(tr ' ' '\n' <<<"${kind#words:}") ;;
    robot) __tacho_offer < <(__tacho_ask robots) ;;
    run) __tacho_offer < <(__tacho_ask runs --limit 50 | sed -E 'p; s#/[^/]*/[^/]*$#@latest#' | LC_ALL=C sort -u) ;;
    program) __tacho_offer < <(compgen -c -- "$cur" | sort -u) ;;
    folder) compopt -o filenames 2>/dev/null; __tacho_offer < <(compgen -d -- "$cur") ;;
    file) compopt -o filenames 2>/dev/null; __tacho_offer < <(compgen -f -- "$cur") ;;
  esac
}
complete -F _tacho tacho
)script";

}  // namespace

std::string BashCompletion(std::span<const Command* const> commands) {
  std::string look(kLook);
  const std::string_view globals = "$GLOBALS";
  look.replace(look.find(globals), globals.size(), OptionNames(GlobalOptions()));
  return "# Completes the words of `tacho` in bash. Printed by `tacho completion bash`.\n\n" +
         NextWords(commands) + Options(commands) + Values(commands) + Places(commands) + look;
}

}  // namespace tacho
