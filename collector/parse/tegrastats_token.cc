// What the tokens of a tegrastats line are made of.
#include "collector/parse/tegrastats_token.h"

#include <algorithm>

#include "collector/parse/numbers.h"

namespace tacho {
namespace {

constexpr std::int64_t kLargestNumber = 1'000'000'000;
constexpr std::int64_t kHertzPerMegahertz = 1'000'000;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

bool IsTegrastatsName(std::string_view text) {
  return !text.empty() && IsLetter(text.front()) && std::ranges::all_of(text, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || c == '-';
  });
}

bool IsValueLike(std::string_view text) {
  return !text.empty() && (IsDigit(text.front()) || text.front() == '-' || text.front() == '@');
}

std::optional<std::int64_t> SignedCount(std::string_view text) {
  const auto value = WholeNumber(text);
  if (!value || *value > kLargestNumber || *value < -kLargestNumber) return std::nullopt;
  return value;
}

std::optional<std::int64_t> NaturalCount(std::string_view text) {
  const auto value = SignedCount(text);
  return value && *value >= 0 ? value : std::nullopt;
}

std::optional<std::int64_t> PercentOf(std::string_view text) {
  return TakeEnd(text, "%") ? NaturalCount(text) : std::nullopt;
}

std::optional<std::int64_t> BytesOf(std::string_view text) {
  std::int64_t scale = 0;
  if (TakeEnd(text, "MB")) {
    scale = 1 << 20;
  } else if (TakeEnd(text, "kB")) {
    scale = 1 << 10;
  }
  const auto value = NaturalCount(text);
  return scale != 0 && value ? std::optional(*value * scale) : std::nullopt;
}

bool TegrastatsReadings::Add(const TegrastatsReading& reading) {
  const auto is_same = [&](const TegrastatsReading& seen) {
    return seen.kind == reading.kind && seen.index == reading.index && seen.name == reading.name;
  };
  if (std::ranges::any_of(line_.readings, is_same)) {
    ++line_.ignored;
    return false;
  }
  if (line_.readings.size() == TegrastatsLine::kMaxReadings) {
    ++line_.bad_fields;
    return false;
  }
  line_.readings.push_back(reading);
  return true;
}

bool TegrastatsReadings::AddClock(TegrastatsKind kind, std::string_view name, int index,
                                  std::int64_t megahertz) {
  return Add({.kind = kind, .name = name, .index = index, .value = megahertz * kHertzPerMegahertz});
}

}  // namespace tacho
