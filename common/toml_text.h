// Carries UTF-8 through toml++ as ASCII.
//
// toml++ 3.3 runs into undefined behaviour where it looks for blanks and meets some letter beyond
// ASCII, and its look-ahead meets letters in places that are hard to tell from outside. So it sees
// none: each byte beyond ASCII goes in as '~' and two digits, and texts and keys are turned back
// afterwards. May go when the oldest distribution has a later toml++.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacho {

// The line of the first byte that is not UTF-8, or that ToAscii could not carry through: the escape
// \u007E for '~'. nullopt if there is none.
std::optional<int> LineOfBadText(std::string_view text);

std::string ToAscii(std::string_view text);
// The inverse. What ToAscii cannot have written stays as it is.
std::string FromAscii(std::string_view ascii);

}  // namespace tacho
