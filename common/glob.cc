#include "common/glob.h"

#include <fnmatch.h>

namespace tacho {

bool MatchesGlob(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

}  // namespace tacho
