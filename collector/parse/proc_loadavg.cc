// /proc/loadavg: how many threads wanted a CPU.
#include "collector/parse/proc_loadavg.h"

#include "collector/parse/numbers.h"
#include "collector/parse/words.h"

namespace tacho {

std::optional<std::array<std::int64_t, 3>> ParseLoadAverages(std::string_view text) {
  std::array<std::int64_t, 3> loads{};
  Words words(text);
  for (std::int64_t& load : loads) {
    const auto thousandths = Thousandths(words.word());
    if (!thousandths || *thousandths < 0) return std::nullopt;
    load = *thousandths / 10;
    words.Next();
  }
  return loads;
}

}  // namespace tacho
