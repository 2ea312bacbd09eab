// Files of /proc that hold one "Key: value unit" a line.
#include "collector/parse/proc_keys.h"

#include "collector/parse/numbers.h"
#include "collector/parse/words.h"

namespace tacho {

std::optional<std::int64_t> ValueOfKey(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) return std::nullopt;  // cut: perhaps half a number
    std::string_view line = text.substr(0, newline + 1);
    text.remove_prefix(newline + 1);
    if (!TakeStart(line, key) || !TakeStart(line, ":")) continue;
    Words words(line);
    const auto value = WholeNumber(words.word());
    words.Next();
    if (!value || words.word() != "kB") return value;
    constexpr std::int64_t kLargest = INT64_MAX / 1024;
    return *value >= 0 && *value <= kLargest ? std::optional(*value * 1024) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace tacho
