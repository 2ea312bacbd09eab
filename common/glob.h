// Shell patterns, as selectors and questions use them: "rb*", "CPU?", "VDD_[CG]PU*".
#pragma once

#include <string>

namespace tacho {

bool MatchesGlob(const std::string& pattern, const std::string& text);

}  // namespace tacho
