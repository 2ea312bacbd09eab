// `tacho completion bash`: the script that completes its words.
#include <array>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/completion.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {
    {{.name = "shell", .placeholder = "SHELL", .help = "bash", .choices = "bash"}}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& /*context*/) {
  if (const std::string shell = arguments.Text("shell"); shell != "bash") {
    return Status(Code::kInvalid,
                  fmt::format("There is completion for bash, not for '{}'.", shell));
  }
  AnswerPage page;
  page.document = BashCompletion(AllCommands());
  page.json = page.document;
  return page;
}

}  // namespace

extern constinit const Command kCompletionCommand{
    .path = "completion",
    .summary = "print the script that completes the words of tacho in a shell",
    .details =
        "Completes commands, options and files; names of robots and runs where the server says "
        "them within a second.\nPackages install it already.",
    .examples =
        "tacho completion bash > ~/.local/share/bash-completion/completions/tacho\n"
        "source <(tacho completion bash)        # in this shell alone",
    .arguments = kArguments,
    .options = {},
    .run = &Run,
};

}  // namespace tacho
