// A suggestion as a budgets.toml that says where each limit comes from.
#pragma once

#include <cstddef>
#include <string>

#include "server/judge/suggestion.h"

namespace tacho {

// What the top of the file tells of the runs.
struct SuggestionSource {
  std::string asked;  // "rb12/118/4 and 6 more"
  std::size_t looked_at = 0;
};

// Parses as budgets.toml; what was left out is in its comments.
std::string TextOf(const Suggestion& suggestion, const SuggestionRules& rules,
                   const SuggestionSource& source);

}  // namespace tacho
