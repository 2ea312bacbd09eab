// `tacho local run start NAME`: opens a run on this robot.
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/labels.h"
#include "cli/local_question.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {
    {{.name = "name", .placeholder = "NAME", .help = "what the run is: mission, bag, bench"}}};
constexpr std::array<OptionDef, 1> kOptions = {{kLabelOption}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto labels = ParseLabels(arguments.Texts("label"));
  if (!labels.ok()) return std::move(labels).status();
  const std::string name = arguments.Text("name");
  if (name == "idle") {
    return Status(Code::kInvalid,
                  "'idle' is what the time between runs is called. Choose another name.");
  }
  auto answer = AskLocal(
      context, Json::Object{{"do", "run_start"}, {"name", name}, {"labels", *std::move(labels)}});
  if (!answer.ok()) return std::move(answer).status();
  AnswerPage page = RunChangedPage(
      *answer, fmt::format("Run {} '{}' is open", (*answer)["run"].AsText("-"), name));
  page.next = {"tacho local status", "tacho local run stop"};
  return page;
}

}  // namespace

extern constinit const Command kLocalRunStartCommand{
    .path = "local run start",
    .summary = "open a run on this robot",
    .details =
        "Closes the run that is open, if any. Prints the run as boot/number in a pipe; on "
        "the server it is\nrobot/boot/number.",
    .examples =
        "tacho local run start mission\n"
        "tacho local run start bench -l engine=vla-fp8 -l site=munich",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
