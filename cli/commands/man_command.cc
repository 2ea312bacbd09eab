// `tacho man [PAGE]`: the manual pages, in the language of man(7).
#include <array>
#include <fmt/format.h>
#include <string>

#include "cli/command.h"
#include "cli/man_page.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {
    {{.name = "page",
      .placeholder = "PAGE",
      .help = "of a command, its words joined: runs, local-run-start (of tacho itself)",
      .is_required = false}}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  const std::string asked = arguments.Text("page");
  AnswerPage page;
  if (asked.empty() || asked == "tacho") {
    page.document = ManPageOfProgram(AllCommands(), context.version);
  }
  for (const Command* command : AllCommands()) {
    const std::string name = ManNameOf(*command);
    if (name != asked && name != "tacho-" + asked) continue;
    page.document = ManPageOfCommand(*command, context.version);
  }
  if (page.document.empty()) {
    return Status(Code::kNotFound, fmt::format("There is no page '{}'. `tacho man` prints the one "
                                               "that names all others.",
                                               asked));
  }
  page.json = page.document;
  return page;
}

}  // namespace

extern constinit const Command kManCommand{
    .path = "man",
    .summary = "print a manual page, for man to read",
    .details = "Packages install them all; then `man tacho-runs` finds them.",
    .examples =
        "tacho man | man -l -\n"
        "tacho man local-run-start > tacho-local-run-start.1",
    .arguments = kArguments,
    .options = {},
    .run = &Run,
};

}  // namespace tacho
