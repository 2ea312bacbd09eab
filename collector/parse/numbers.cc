// Numbers out of text.
#include "collector/parse/numbers.h"

#include <algorithm>

namespace tacho {

std::optional<std::int64_t> Thousandths(std::string_view text) {
  const bool is_negative = TakeStart(text, "-");
  const bool has_point = text.find('.') != std::string_view::npos;
  std::string_view decimals = text;
  const std::string_view whole = TakeUntil(decimals, '.');
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // Longer numbers than any sensor prints are refused before they could overflow.
  if (whole.empty() || whole.size() > 12 || !std::ranges::all_of(whole, is_digit)) {
    return std::nullopt;
  }
  if ((has_point && decimals.empty()) || !std::ranges::all_of(decimals, is_digit)) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  for (const char digit : whole) {
    value = value * 10 + (digit - '0');
  }
  for (std::size_t i = 0; i < 3; ++i) {
    value = value * 10 + (i < decimals.size() ? decimals[i] - '0' : 0);
  }
  return is_negative ? -value : value;
}

}  // namespace tacho
