// What a command of `tacho` is: its words for the help, and a function from arguments to a page.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/page.h"
#include "cli/recorder_client.h"
#include "common/json.h"
#include "common/status.h"
#include "common/time.h"
#include "daemon/spool/disk.h"
#include "rpc/fleet.h"

namespace tacho {

// What a command sees of the world. Only main.cc and tests fill one.
struct CommandContext {
  std::function<Result<std::unique_ptr<FleetClient>>()> connect_fleet;
  std::string server_origin;  // where its address came from: "--server", "the default"
  std::function<Result<std::unique_ptr<RecorderClient>>()> connect_recorder;
  Disk& spool_disk;  // where the spool of a recorder that does not run is read
  WallTime now;
  Nanos patience{};
  Style style;
  std::string version{};
  // The path of a program as a shell would find it: kNotFound, or kDenied where it may not be run.
  std::function<Result<std::string>(const std::string&)> find_program{};
  // Runs the program at a path to its end, on our own terminal. Its exit status, as a shell tells
  // it.
  std::function<Result<int>(const std::string&, const std::vector<std::string>&)> run_program{};
  std::function<void(Nanos)> pause{};

  // For commands that go on for a while; set by Execute. A page now, in the user's form (JSON is a
  // line); fails where stdout is gone.
  std::function<Status(const AnswerPage&)> show{};
  // A sentence on stderr now.
  std::function<void(const std::string&)> say{};
};

// One file in cli/commands/ defines one of these: run_show_command.cc has kRunShowCommand.
struct Command {
  std::string_view path{};      // "run show": what the user types after "tacho"
  std::string_view summary{};   // one line
  std::string_view details{};   // a paragraph or two; may be empty
  std::string_view examples{};  // a line each: "tacho runs --since 2h   # since two hours"
  std::span<const ArgumentDef> arguments{};
  std::span<const OptionDef> options{};
  Result<AnswerPage> (*run)(const CommandArguments&, CommandContext&);
};

// Sorted by file name.
std::span<const Command* const> AllCommands();

}  // namespace tacho
