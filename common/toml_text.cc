// '~' and two hexadecimal digits for '~' and for each byte beyond ASCII.
#include "common/toml_text.h"

namespace tacho {
namespace {

constexpr char kMark = '~';
constexpr std::string_view kDigits = "0123456789ABCDEF";
constexpr std::size_t kNone = std::string_view::npos;

unsigned Byte(char c) {
  return static_cast<unsigned char>(c);
}

// What the first byte of a character promises; 0 for a follower, an overlong form, or no byte of
// UTF-8.
std::size_t PromisedSize(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

// Whether two first bytes begin an overlong form, a surrogate, or what lies past the last
// character.
bool IsOutOfRange(unsigned lead, unsigned second) {
  return (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90) ||
         (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
}

// Bytes of the UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t SizeOfCharacter(std::string_view text) {
  const std::size_t size = PromisedSize(Byte(text[0]));
  if (size <= 1) return size;
  if (size > text.size() || IsOutOfRange(Byte(text[0]), Byte(text[1]))) return 0;
  for (const char c : text.substr(1, size - 1)) {
    if ((Byte(c) & 0xC0) != 0x80) return 0;
  }
  return size;
}

bool StartsWithEscapedMark(std::string_view text) {
  for (const std::string_view escape : {"\\u007e", "\\u007E", "\\U0000007e", "\\U0000007E"}) {
    if (text.starts_with(escape)) return true;
  }
  return false;
}

}  // namespace

std::optional<int> LineOfBadText(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const std::size_t size = SizeOfCharacter(text);
    if (size == 0 || StartsWithEscapedMark(text)) return line;
    if (text[0] == '\n') ++line;
    text.remove_prefix(size);
  }
  return std::nullopt;
}

std::string ToAscii(std::string_view text) {
  std::string ascii;
  ascii.reserve(text.size());
  for (const char c : text) {
    if (Byte(c) < 0x80 && c != kMark) {
      ascii += c;
    } else {
      ascii += kMark;
      ascii += kDigits[Byte(c) >> 4];
      ascii += kDigits[Byte(c) & 15];
    }
  }
  return ascii;
}

std::string FromAscii(std::string_view ascii) {
  std::string text;
  text.reserve(ascii.size());
  for (std::size_t i = 0; i < ascii.size(); ++i) {
    const bool is_marked = ascii[i] == kMark && i + 2 < ascii.size();
    const std::size_t high = is_marked ? kDigits.find(ascii[i + 1]) : kNone;
    const std::size_t low = is_marked ? kDigits.find(ascii[i + 2]) : kNone;
    if (high == kNone || low == kNone) {
      text += ascii[i];
      continue;
    }
    text += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return text;
}

}  // namespace tacho
