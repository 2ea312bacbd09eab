// `tacho local status`: what this robot's recorder measures, keeps and loses.
#include <array>
#include <utility>

#include "cli/command.h"
#include "cli/dead_spool.h"
#include "cli/local_page.h"
#include "cli/local_question.h"

namespace tacho {
namespace {

constexpr std::string_view kUsualSpool = "/var/lib/tacho/spool";
constexpr std::array<OptionDef, 1> kOptions = {
    {{.name = "spool",
      .placeholder = "FOLDER",
      .help = "look here where the recorder does not run (/var/lib/tacho/spool)"}}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto status = AskLocal(context, Json::Object{{"do", "status"}});
  if (status.ok()) return LocalStatusPage(*status);
  const Status why = std::move(status).status();
  if (why.code() != Code::kUnavailable) return why;
  auto page =
      ReadDeadSpool(arguments.Text("spool", kUsualSpool), context.spool_disk, why.message());
  // That there is no spool to show is ignored, since that the recorder is away is what matters.
  if (!page.ok()) return why;
  return page;
}

}  // namespace

extern constinit const Command kLocalStatusCommand{
    .path = "local status",
    .summary = "show what the recorder on this robot measures, keeps and loses",
    .details =
        "Asks the recorder over its socket; needs no server and no network. In a pipe each "
        "row's first field names\nits table (recorder, source, series). Where no recorder "
        "runs it exits 5 and lists what is left in the spool.",
    .examples =
        "tacho local status\n"
        "tacho local status -o json | jq .spool",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
