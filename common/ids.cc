// Boot ids as text.
#include "common/ids.h"

#include <algorithm>

namespace tacho {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

bool IsDashPlace(std::size_t byte) {
  return byte == 4 || byte == 6 || byte == 8 || byte == 10;
}

// -1 if it is no hexadecimal digit.
int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string BootId::ToString() const {
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (IsDashPlace(i)) text += '-';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::optional<BootId> BootId::Parse(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const bool has_dashes = text.size() == 36;
  if (!has_dashes && text.size() != 32) return std::nullopt;
  BootId id;
  for (std::size_t i = 0; i < id.bytes.size(); ++i) {
    if (has_dashes && IsDashPlace(i)) {
      if (text.front() != '-') return std::nullopt;
      text.remove_prefix(1);
    }
    const int high = DigitOf(text[0]);
    const int low = DigitOf(text[1]);
    if (high < 0 || low < 0) return std::nullopt;
    id.bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
    text.remove_prefix(2);
  }
  return id;
}

bool IsRobotName(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  if (name.empty() || name.size() > kLongest) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

}  // namespace tacho
