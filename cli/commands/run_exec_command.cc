// `tacho run exec -- COMMAND...`: runs a program inside a run of this robot.
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/labels.h"

namespace tacho {
namespace {

// As a shell ends for a program that is not there, or may not be run.
constexpr int kExitNoProgram = 127;
constexpr int kExitNotRunnable = 126;

constexpr std::array<ArgumentDef, 1> kArguments = {{{.name = "command",
                                                     .placeholder = "COMMAND...",
                                                     .help = "the program and its words, behind --",
                                                     .takes_rest = true}}};
constexpr std::array<OptionDef, 3> kOptions = {
    {{.name = "name",
      .letter = 'n',
      .placeholder = "NAME",
      .help = "what the run is called (the program's name)"},
     kLabelOption,
     {.name = "anyway", .help = "run the program unmeasured where no run can be opened"}}};

// Stdout is the program's own: nothing is left to print.
AnswerPage Ended(int exit_code) {
  AnswerPage page;
  page.exit_code = exit_code;
  return page;
}

// "/opt/bin/bench" is "bench".
std::string NameOfProgram(const std::string& word) {
  return word.substr(word.rfind('/') + 1);
}

// What a run is at the recorder, from its opening to its end.
class MeasuredRun {
 public:
  MeasuredRun(CommandContext& context, std::string name)
      : context_(context), name_(std::move(name)) {}

  Status Open(const Json& labels) {
    auto client = context_.connect_recorder();
    if (!client.ok()) return std::move(client).status();
    const auto answer =
        (*client)->Ask(Json::Object{{"do", "run_start"}, {"name", name_}, {"labels", labels}});
    if (const Status* why = answer.error()) return *why;
    run_ = (*answer)["run"].AsText("-");
    context_.say(fmt::format("Run {} '{}' is open.", run_, name_));
    if ((*answer)["ram"].AsBool()) {
      context_.say("The disk refuses, so the run is kept in memory only.");
    }
    return {};
  }

  // `how` it ended goes into the run as an event, before the run is closed.
  void Close(const std::string& how, bool is_good) {
    if (const Status status = TryClose(how, is_good); !status.ok()) {
      context_.say(
          fmt::format("The end of run {} could not be told: {} If it is open still, "
                      "`tacho local run stop` closes it.",
                      run_, status.message()));
    }
  }

 private:
  Status TryClose(const std::string& how, bool is_good) {
    auto client = context_.connect_recorder();
    if (!client.ok()) return std::move(client).status();
    const auto status = (*client)->Ask(Json::Object{{"do", "status"}});
    if (const Status* why = status.error()) return *why;
    if (!IsOurs((*status)["run"])) {
      context_.say(fmt::format("Run {} was closed meanwhile, and not by us.", run_));
      return {};
    }
    const auto event = (*client)->Ask(Json::Object{{"do", "event"},
                                                   {"kind", "run_exec_ended"},
                                                   {"detail", how},
                                                   {"severity", is_good ? "info" : "warning"}});
    const auto stopped = (*client)->Ask(Json::Object{{"do", "run_stop"}});
    if (const Status* why = stopped.error()) return *why;
    context_.say(fmt::format("Run {} is closed: {}.", (*stopped)["run"].AsText(run_), how));
    if (const Status* why = event.error()) {
      context_.say("How the program ended is not in the run: " + why->message());
    }
    return {};
  }

  // A recorder that was started again meanwhile goes on with the run under the next number.
  bool IsOurs(const Json& open) const {
    const std::string number = run_.substr(run_.rfind('/') + 1);
    return std::to_string(open["number"].AsInt()) == number ||
           open["labels"]["continues"].AsText() == number;
  }

  CommandContext& context_;
  const std::string name_;
  std::string run_;
};

Result<AnswerPage> RunProgram(const std::string& file, const std::vector<std::string>& words,
                              CommandContext& context, MeasuredRun* run) {
  const std::string program = NameOfProgram(words.front());
  const auto status = context.run_program(file, words);
  if (const Status* why = status.error()) {
    if (run != nullptr) run->Close(program + " could not be started", false);
    context.say(why->message());
    return Ended(kExitNotRunnable);
  }
  // Its words stay out of the run: they may hold a secret.
  if (run != nullptr) run->Close(fmt::format("{} ended with {}", program, *status), *status == 0);
  return Ended(*status);
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  const auto words = arguments.Texts("command");
  auto labels = ParseLabels(arguments.Texts("label"));
  if (!labels.ok()) return std::move(labels).status();
  const auto file = context.find_program(words.front());
  if (const Status* why = file.error()) {
    context.say(why->message());
    return Ended(why->code() == Code::kNotFound ? kExitNoProgram : kExitNotRunnable);
  }
  MeasuredRun run(context, arguments.Text("name", NameOfProgram(words.front())));
  const Status opened = run.Open(*labels);
  if (opened.ok()) return RunProgram(*file, words, context, &run);
  if (!arguments.Has("anyway")) {
    return Status(
        opened.code(),
        fmt::format("{}\nNothing was started. --anyway runs it unmeasured.", opened.message()));
  }
  context.say(opened.message());
  context.say(fmt::format("NOT MEASURED: '{}' runs outside any run.", words.front()));
  return RunProgram(*file, words, context, nullptr);
}

}  // namespace

extern constinit const Command kRunExecCommand{
    .path = "run exec",
    .summary = "run a program inside a run of this robot",
    .details =
        "Opens a run at the recorder, runs the program on this terminal, passes SIGINT, SIGTERM "
        "and SIGHUP on to it, and\ncloses the run when it ends. Exits with the program's own "
        "status: 128 + n where signal n ended it, 127 where there\nis no such program, 126 where "
        "it may not be run. The status goes into the run as the event run_exec_ended; the\n"
        "program's words do not. Where no run can be opened nothing is started, unless --anyway "
        "says so. A recorder that\ndies meanwhile does not touch the program.",
    .examples =
        "tacho run exec -- ./bench --steps 1000\n"
        "tacho run exec --name mission -l site=munich -- ros2 launch robot bringup.launch.py",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
