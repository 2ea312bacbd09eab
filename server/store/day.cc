#include "server/store/day.h"

#include <cstdio>
#include <fmt/format.h>

namespace tacho {

Day DayOf(WallTime at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  return Day{static_cast<std::int32_t>(day.time_since_epoch().count())};
}

std::string FileNameOf(Day day) {
  const std::chrono::sys_days at(std::chrono::days(static_cast<std::int32_t>(day)));
  const std::chrono::year_month_day date(at);
  return fmt::format("day-{:04}-{:02}-{:02}.db", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::optional<Day> ParseDayFileName(std::string_view name) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  const std::string text(name);
  if (std::sscanf(text.c_str(), "day-%4d-%2u-%2u.db", &year, &month, &day) != 3) return {};
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok()) return {};
  const Day parsed{
      static_cast<std::int32_t>(std::chrono::sys_days(date).time_since_epoch().count())};
  if (FileNameOf(parsed) != name) return {};
  return parsed;
}

}  // namespace tacho
