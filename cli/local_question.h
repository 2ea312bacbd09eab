// Asks this robot's recorder one question on behalf of a command.
#pragma once

#include "cli/command.h"
#include "cli/page.h"
#include "common/json.h"
#include "common/status.h"

namespace tacho {

Result<Json> AskLocal(CommandContext& context, const Json& request);

// The page for a run that was opened or closed: its name in data, a sentence in text.
// `sentence` says what happened, without its full stop.
AnswerPage RunChangedPage(const Json& answer, const std::string& sentence);

}  // namespace tacho
