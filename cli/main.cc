// tacho: asks the fleet server, or this robot's recorder, and prints the answer.
//
// The only file of the command line that reads the environment and names clocks and sockets.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/execute.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/program.h"
#include "cli/settings.h"
#include "cli/usage.h"
#include "common/posix_clock.h"
#include "common/text_file.h"
#include "daemon/spool/posix_disk.h"

namespace tacho {
namespace {

// What the user typed, taken apart.
struct Words {
  std::string path{};                // as much of a command as was understood: "local run"
  const Command* command = nullptr;  // null: `path` names none
  CommandArguments arguments{};      // the global options too
  std::vector<std::string> extra{};  // words nobody took
  bool wants_help = false;
  bool wants_version = false;
};

// CLI11's tree of subcommands, made from the table of commands.
class Parser {
 public:
  Parser() : root_("", "tacho") {
    // What is unknown is explained here, with the nearest word; CLI11 would only refuse it.
    root_.allow_extras()->fallthrough()->require_subcommand(0, 1);
    root_.add_flag("--version");
    AddOptions(root_, GlobalOptions());
    for (const Command* command : AllCommands()) {
      CLI::App& node = NodeOf(command->path);
      for (const ArgumentDef& argument : command->arguments) {
        if (argument.takes_rest) continue;
        CLI::Option* option = node.add_option(std::string(argument.name));
        if (argument.is_repeatable) option->take_all()->allow_extra_args();
      }
      AddOptions(node, command->options);
    }
  }

  // What stands behind "--" is a program's own where the command takes it, and not looked at.
  Result<Words> Parse(const std::vector<std::string>& typed) {
    const auto dashes = std::find(typed.begin(), typed.end(), "--");
    auto words = Understand({typed.begin(), dashes});
    if (!words.ok() || dashes == typed.end()) return words;
    const ArgumentDef* rest = words->command != nullptr ? RestOf(*words->command) : nullptr;
    if (rest == nullptr) return Understand(typed);
    for (auto word = dashes + 1; word != typed.end(); ++word) {
      words->arguments.Add(rest->name, *word);
    }
    return words;
  }

 private:
  static const ArgumentDef* RestOf(const Command& command) {
    const auto& arguments = command.arguments;
    return !arguments.empty() && arguments.back().takes_rest ? &arguments.back() : nullptr;
  }

  Result<Words> Understand(std::vector<std::string> typed) {
    bool wants_help = false;
    typed = WithHelpAsOption(std::move(typed));
    std::reverse(typed.begin(), typed.end());  // as CLI11 wants them
    try {
      root_.parse(std::move(typed));
    } catch (const CLI::CallForHelp&) {
      wants_help = true;
    } catch (const CLI::ParseError& error) {
      return Status(Code::kInvalid, fmt::format("{}.", error.what()));
    }
    Words words{.wants_help = wants_help, .wants_version = root_.count("--version") > 0};
    const CLI::App* node = &root_;
    Collect(*node, words.arguments);
    while (!node->get_subcommands().empty()) {
      node = node->get_subcommands().front();
      words.path += (words.path.empty() ? "" : " ") + node->get_name();
      Collect(*node, words.arguments);
    }
    for (const Command* command : AllCommands()) {
      if (command->path == words.path) words.command = command;
    }
    words.extra = root_.remaining(true);
    return words;
  }

  // The node of "local run start", made with those above it where they are missing.
  CLI::App& NodeOf(std::string_view path) {
    CLI::App* node = &root_;
    for (const std::string& word : CLI::detail::split(std::string(path), ' ')) {
      const auto same = node->get_subcommands(
          [&word](const CLI::App* child) { return child->get_name() == word; });
      node = same.empty() ? node->add_subcommand(word)->require_subcommand(0, 1) : same.front();
    }
    return *node;
  }

  static void AddOptions(CLI::App& node, std::span<const OptionDef> options) {
    for (const OptionDef& option : options) {
      std::string names = fmt::format("--{}", option.name);
      if (option.letter != 0) names = fmt::format("-{},{}", option.letter, names);
      if (option.placeholder.empty()) {
        node.add_flag(names);
      } else {
        node.add_option(names)
            ->type_name(std::string(option.placeholder))
            ->multi_option_policy(option.is_repeatable ? CLI::MultiOptionPolicy::TakeAll
                                                       : CLI::MultiOptionPolicy::TakeLast);
      }
    }
  }

  static void Collect(const CLI::App& node, CommandArguments& arguments) {
    for (const CLI::Option* option : node.get_options()) {
      const std::string name = option->get_single_name();
      for (const std::string& value : option->results()) {
        arguments.Add(name, value);
      }
    }
  }

  CLI::App root_;
};

Environment LookAround() {
  Environment environment;
  environment.is_terminal = isatty(STDOUT_FILENO) == 1;
  winsize size{};
  if (environment.is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    environment.width = size.ws_col;
  }
  for (const std::string_view name : kVariables) {
    // Nobody has started a thread yet.
    const char* value = std::getenv(std::string(name).c_str());  // NOLINT(concurrency-mt-unsafe)
    if (value != nullptr) environment.variables.emplace(name, value);
  }
  return environment;
}

// The first config file that is there.
Result<CliConfig> ReadConfig(const std::vector<ConfigPlace>& places) {
  for (const ConfigPlace& place : places) {
    const auto text = ReadTextFile(place.path);
    if (text.ok()) return ParseCliConfig(*text, place.path);
    if (place.must_exist || text.error()->code() != Code::kNotFound) {
      return Status(Code::kInvalid, text.error()->message());
    }
  }
  return CliConfig{};
}

Result<Settings> Settle(const CommandArguments& arguments) {
  const Environment environment = LookAround();
  auto config = ReadConfig(ConfigPlaces(arguments, environment));
  if (!config.ok()) return std::move(config).status();
  return DecideSettings(arguments, environment, *config);
}

int RunCommand(const Command& command, const CommandArguments& arguments) {
  auto settings = Settle(arguments);
  if (const Status* why = settings.error()) return Complain(*why, std::cerr);
  const PosixClock clock;
  PosixDisk disk;
  CommandContext context{
      .connect_fleet = [&settings] { return ConnectFleet(settings->server); },
      .server_origin = settings->server_origin,
      .connect_recorder =
          [&settings, &clock] {
            return ConnectRecorder(settings->socket, clock, settings->patience);
          },
      .spool_disk = disk,
      .now = clock.Pair().wall,
      .patience = settings->patience,
      .style = settings->style,
      .version = TACHO_VERSION,
      .find_program =
          [&settings](const std::string& name) { return FindProgram(name, settings->path); },
      .run_program =
          [](const std::string& path, const std::vector<std::string>& words) {
            return RunProgram(path, words, environ);
          },
      .pause = [](Nanos time) { Pause(time); },
  };
  return Execute(command, arguments, context, std::cout, std::cerr);
}

int Print(const std::string& text) {
  std::cout << text << std::flush;
  if (std::cout) return kExitOk;
  return Complain(Status(Code::kInternal, "The answer could not be written to stdout."), std::cerr);
}

int Main(int argc, const char* const* argv) {
  Parser parser;
  auto words = parser.Parse({argv + std::min(argc, 1), argv + argc});
  if (const Status* why = words.error()) {
    const int code = Complain(*why, std::cerr);
    std::cerr << "Try `tacho --help`.\n";
    return code;
  }
  if (words->wants_version) {
    return Print(fmt::format("tacho {}\n", TACHO_VERSION));
  }
  const bool is_clean = words->extra.empty();
  if (words->wants_help && is_clean) {
    return Print(words->command != nullptr ? HelpOfCommand(*words->command)
                                           : HelpOfGroup(words->path, AllCommands()));
  }
  if (words->command != nullptr && is_clean) return RunCommand(*words->command, words->arguments);
  const int code = Complain(words->command != nullptr
                                ? ExplainExtra(*words->command, words->extra)
                                : ExplainNoCommand(words->path, words->extra, AllCommands()),
                            std::cerr);
  std::cerr << fmt::format("Try `tacho {}{}--help`.\n", words->path,
                           words->path.empty() ? "" : " ");
  return code;
}

}  // namespace
}  // namespace tacho

int main(int argc, char** argv) {
  return tacho::Main(argc, argv);
}
