// Asks the fleet server one question on behalf of a command.
#pragma once

#include <string_view>

#include "cli/command.h"
#include "common/json.h"
#include "common/status.h"

namespace tacho {

// The answer, which is an object; or why there is none, with what to look at next.
Result<Json> AskFleet(CommandContext& context, std::string_view question, const Json& arguments);

}  // namespace tacho
