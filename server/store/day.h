// The calendar of the day files: which day a moment belongs to, and what its file is called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/time.h"

namespace tacho {

// Days since 1970-01-01 UTC.
enum class Day : std::int32_t {};

Day DayOf(WallTime at);
std::string FileNameOf(Day day);  // "day-2026-11-30.db"
std::optional<Day> ParseDayFileName(std::string_view name);

}  // namespace tacho
