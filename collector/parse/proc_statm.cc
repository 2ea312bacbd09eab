// /proc/PID/statm: the memory of a process, in pages.
#include "collector/parse/proc_statm.h"

#include "collector/parse/numbers.h"
#include "collector/parse/words.h"

namespace tacho {

std::optional<std::int64_t> ResidentPages(std::string_view statm) {
  Words words(statm);
  words.Next();
  const auto pages = WholeNumber(words.word());
  return pages && *pages >= 0 ? pages : std::nullopt;
}

}  // namespace tacho
