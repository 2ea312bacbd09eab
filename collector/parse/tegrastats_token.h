// What the tokens of a tegrastats line are made of. For the parser's own files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "collector/parse/tegrastats.h"

namespace tacho {

bool IsTegrastatsName(std::string_view text);
// Starts like a value, well written or not.
bool IsValueLike(std::string_view text);

// No number of a line is larger than 10^9, so that no scaled value overflows.
std::optional<std::int64_t> SignedCount(std::string_view text);
std::optional<std::int64_t> NaturalCount(std::string_view text);
// "23%" -> 23.
std::optional<std::int64_t> PercentOf(std::string_view text);
// "3967MB", "252kB" -> bytes.
std::optional<std::int64_t> BytesOf(std::string_view text);

// Adds readings to a line: the first of each (kind, name, index), up to the line's limit.
class TegrastatsReadings {
 public:
  explicit TegrastatsReadings(TegrastatsLine& line) : line_(line) {}

  // False if the line had this reading already.
  bool Add(const TegrastatsReading& reading);
  // A clock printed in megahertz.
  bool AddClock(TegrastatsKind kind, std::string_view name, int index, std::int64_t megahertz);

  void CountUnknown() { ++line_.unknown_tokens; }
  void CountBad() { ++line_.bad_fields; }
  void CountIgnored() { ++line_.ignored; }

  TegrastatsLine& line() { return line_; }

 private:
  TegrastatsLine& line_;
};

}  // namespace tacho
