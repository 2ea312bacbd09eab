// Labels of a run as the user types them: "site=munich".
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "common/json.h"
#include "common/status.h"

namespace tacho {

inline constexpr OptionDef kLabelOption = {.name = "label",
                                           .letter = 'l',
                                           .placeholder = "KEY=VALUE",
                                           .help = "kept with the run; may be repeated",
                                           .is_repeatable = true};

// An object of texts. kInvalid where one has no key, or a key is given twice.
Result<Json> ParseLabels(const std::vector<std::string>& texts);

}  // namespace tacho
