// `tacho local run stop`: closes the run that is open on this robot.
#include <fmt/format.h>
#include <utility>

#include "cli/command.h"
#include "cli/local_question.h"

namespace tacho {
namespace {

Result<AnswerPage> Run(const CommandArguments& /*arguments*/, CommandContext& context) {
  auto answer = AskLocal(context, Json::Object{{"do", "run_stop"}});
  if (!answer.ok()) return std::move(answer).status();
  return RunChangedPage(*answer, fmt::format("Run {} is closed", (*answer)["run"].AsText("-")));
}

}  // namespace

extern constinit const Command kLocalRunStopCommand{
    .path = "local run stop",
    .summary = "close the run that is open on this robot",
    .details = "Fails where only the idle time between runs is open.",
    .examples = "tacho local run stop",
    .arguments = {},
    .options = {},
    .run = &Run,
};

}  // namespace tacho
