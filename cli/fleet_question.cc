// Asks the fleet server one question on behalf of a command.
#include "cli/fleet_question.h"

#include <fmt/format.h>
#include <string>
#include <utility>

namespace tacho {
namespace {

Status Explained(const Status& why, const CommandContext& context) {
  switch (why.code()) {
    case Code::kUnavailable:
    case Code::kTimeout:
      return {
          why.code(),
          fmt::format("No answer from the fleet server: {}. Its address came from {}; --server, "
                      "TACHO_SERVER or the config file set another. On the server, look at "
                      "`systemctl status tacho-server`.",
                      why.message(), context.server_origin)};
    case Code::kDenied:
      return {why.code(),
              fmt::format("The fleet server does not let us ask: {}. Check [tls] in the "
                          "config file (authority, certificate, key), and [people] in the "
                          "server's.",
                          why.message())};
    default:
      return why;
  }
}

}  // namespace

Result<Json> AskFleet(CommandContext& context, std::string_view question, const Json& arguments) {
  auto client = context.connect_fleet();
  if (const Status* why = client.error()) return Explained(*why, context);
  auto answer = (*client)->Ask(std::string(question), arguments, context.patience);
  if (const Status* why = answer.error()) return Explained(*why, context);
  if (!answer->is_object()) {
    return Status(Code::kCorrupt,
                  fmt::format("The fleet server answered '{}' with something that is no object. "
                              "Is it of another version?",
                              question));
  }
  return answer;
}

}  // namespace tacho
