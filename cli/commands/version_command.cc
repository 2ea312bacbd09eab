// `tacho version`: which release this is.
#include "cli/command.h"
#include "cli/values.h"

namespace tacho {
namespace {

Result<AnswerPage> Run(const CommandArguments& /*arguments*/, CommandContext& context) {
  AnswerPage page;
  page.json = Json::Object{{"version", context.version}};
  Section& section = page.sections.emplace_back();
  section.table.columns = {{.name = "program", .where = Where::kTextOnly}, {.name = "version"}};
  section.table.has_header = false;
  section.table.rows.push_back({TextCell("tacho"), TextCell(context.version)});
  return page;
}

}  // namespace

extern constinit const Command kVersionCommand{
    .path = "version",
    .summary = "print the version",
    .details = "",
    .examples = "tacho version                          # or tacho --version",
    .arguments = {},
    .options = {},
    .run = &Run,
};

}  // namespace tacho
