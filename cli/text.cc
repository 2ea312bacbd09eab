// Text from elsewhere, made safe for a terminal and measured in its columns.
#include "cli/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <span>

namespace tacho {
namespace {

struct CodeRange {
  std::uint32_t first;
  std::uint32_t last;
};

// Control characters and invisible ones that hide or reorder their neighbours.
constexpr std::array<CodeRange, 11> kUnsafe = {{{0x00, 0x1F},
                                                {0x7F, 0x9F},
                                                {0xAD, 0xAD},
                                                {0x61C, 0x61C},
                                                {0x200B, 0x200F},
                                                {0x2028, 0x202E},
                                                {0x2060, 0x206F},
                                                {0xFEFF, 0xFEFF},
                                                {0xFFF0, 0xFFFB},
                                                {0xE0000, 0xE007F},
                                                {0xF0000, 0x10FFFF}}};
constexpr std::array<CodeRange, 7> kCombining = {{{0x300, 0x36F},
                                                  {0x483, 0x489},
                                                  {0x1AB0, 0x1AFF},
                                                  {0x1DC0, 0x1DFF},
                                                  {0x20D0, 0x20FF},
                                                  {0xFE00, 0xFE0F},
                                                  {0xFE20, 0xFE2F}}};
constexpr std::array<CodeRange, 11> kWide = {{{0x1100, 0x115F},
                                              {0x2E80, 0x303E},
                                              {0x3041, 0x4DBF},
                                              {0x4E00, 0xA4CF},
                                              {0xAC00, 0xD7A3},
                                              {0xF900, 0xFAFF},
                                              {0xFE30, 0xFE6F},
                                              {0xFF00, 0xFF60},
                                              {0xFFE0, 0xFFE6},
                                              {0x1F300, 0x1FAFF},
                                              {0x20000, 0x3FFFD}}};

bool IsIn(std::span<const CodeRange> ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](CodeRange range) { return code >= range.first && code <= range.last; });
}

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool is_valid = false;
};

std::uint32_t ByteAt(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// The first character of a text that is not empty. Overlong forms and surrogates are not valid.
Character FirstOf(std::string_view text) {
  const std::uint32_t lead = ByteAt(text, 0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {lead, 1, false};
  std::uint32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((ByteAt(text, i) & 0xC0U) != 0x80U) return {lead, 1, false};
    code = (code << 6) | (ByteAt(text, i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast.at(bytes) || code > 0x10FFFF || is_surrogate) return {lead, 1, false};
  return {code, bytes, true};
}

std::string Escaped(Character character) {
  if (!character.is_valid) return fmt::format("\\x{:02x}", character.code);
  switch (character.code) {
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    default:
      break;
  }
  if (character.code < 0x80) return fmt::format("\\x{:02x}", character.code);
  if (character.code > 0xFFFF) return fmt::format("\\U{:08x}", character.code);
  return fmt::format("\\u{:04x}", character.code);
}

std::string JsonEscaped(std::uint32_t code) {
  if (code <= 0xFFFF) return fmt::format("\\u{:04x}", code);
  const std::uint32_t rest = code - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FFU));
}

int WidthOf(std::uint32_t code) {
  if (IsIn(kCombining, code)) return 0;
  return IsIn(kWide, code) ? 2 : 1;
}

}  // namespace

std::string Printable(std::string_view text, Charset charset) {
  std::string safe;
  while (!text.empty()) {
    const Character next = FirstOf(text);
    const bool can_show = next.is_valid && !IsIn(kUnsafe, next.code) &&
                          (charset == Charset::kUnicode || next.code < 0x80);
    safe += can_show ? std::string(text.substr(0, next.bytes)) : Escaped(next);
    text.remove_prefix(next.bytes);
  }
  return safe;
}

std::string PrintableJson(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  while (!json.empty()) {
    const Character next = FirstOf(json);
    // Below 0x20 only the line breaks of the indentation are left: strings have theirs escaped.
    const bool is_safe = next.code < 0x7F || (next.is_valid && !IsIn(kUnsafe, next.code));
    if (is_safe) {
      safe.append(json.substr(0, next.bytes));
    } else {
      safe += JsonEscaped(next.code);
    }
    json.remove_prefix(next.bytes);
  }
  return safe;
}

int ColumnsOf(std::string_view printable) {
  int columns = 0;
  while (!printable.empty()) {
    const Character next = FirstOf(printable);
    columns += WidthOf(next.code);
    printable.remove_prefix(next.bytes);
  }
  return columns;
}

std::string Clip(std::string_view printable, int columns, Charset charset) {
  if (ColumnsOf(printable) <= columns) return std::string(printable);
  const std::string_view mark = charset == Charset::kUnicode ? "\u2026" : ">";
  std::string kept;
  int left = columns - 1;
  while (!printable.empty()) {
    const Character next = FirstOf(printable);
    left -= WidthOf(next.code);
    if (left < 0) break;
    kept.append(printable.substr(0, next.bytes));
    printable.remove_prefix(next.bytes);
  }
  return columns > 0 ? kept.append(mark) : std::string();
}

std::string ShellWord(std::string_view text) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + '\'';
}

}  // namespace tacho
