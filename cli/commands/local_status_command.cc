// `tacho local status`: what this robot's recorder measures, keeps and loses.
#include <utility>

#include "cli/command.h"
#include "cli/local_page.h"
#include "cli/local_question.h"

namespace tacho {
namespace {

Result<Page> Run(const Arguments& /*arguments*/, CommandContext& context) {
  auto status = AskLocal(context, Json::Object{{"do", "status"}});
  if (!status.ok()) return std::move(status).status();
  return LocalStatusPage(*status);
}

}  // namespace

extern constinit const Command kLocalStatusCommand{
    .path = "local status",
    .summary = "show what the recorder on this robot measures, keeps and loses",
    .details =
        "Asks the recorder over its socket; needs no server and no network. In a pipe each "
        "row's first field names\nits table (recorder, source, series).",
    .examples =
        "tacho local status\n"
        "tacho local status -o json | jq .spool",
    .arguments = {},
    .options = {},
    .run = &Run,
};

}  // namespace tacho
