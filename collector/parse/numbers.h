// Numbers out of text: the whole text is a number, or there is none.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tacho {

// "-392" -> -392. Anything before, behind or beside the digits gives nullopt.
inline std::optional<std::int64_t> WholeNumber(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "43.406" -> 43406, "40" -> 40000, "-0.5" -> -500. Digits behind the third decimal are cut off.
std::optional<std::int64_t> Thousandths(std::string_view text);

// Removes `end` from the end of `text`; false, and nothing removed, if it is not there.
constexpr bool TakeEnd(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

// Removes `start` from the start of `text`; false, and nothing removed, if it is not there.
constexpr bool TakeStart(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

// Removes from `text` what stands before the first `mark`, and the mark, and returns it; all of
// `text` if there is no mark.
constexpr std::string_view TakeUntil(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

}  // namespace tacho
