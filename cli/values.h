// Turns the values of an answer into cells: with their units for people, exact for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/page.h"
#include "common/json.h"
#include "common/time.h"

namespace tacho {

// "-": there is no value, which is not zero.
TableCell Absent();
// Text, or absent where it is null or empty.
TableCell WordCell(const Json& value);
TableCell TextCell(std::string_view text, Tone tone = Tone::kPlain);
// A whole number, or absent.
TableCell CountCell(const Json& value);
// In people's units: 0.0816 of "s" is "81.6 ms"; or absent.
TableCell QuantityCell(const Json& value, std::string_view unit);
// 0.9996 is "99.9 %": only what is whole says "100 %", and only what is nothing "0 %"; or absent.
TableCell ShareCell(const Json& value);
// "2026-11-28 10:00:05" of nanoseconds in UTC, behind a "~" where `trust` makes it an estimate.
TableCell TimeCell(const Json& wall_ns, std::string_view trust);
// "12s ago"; "now" where it lies less than a minute ahead, since clocks differ; else the time
// itself.
TableCell AgeCell(const Json& wall_ns, WallTime now);
// "5h12m" of seconds.
TableCell DurationCell(const Json& seconds);
// "info", "warning" or "error", in its colour.
TableCell SeverityCell(const Json& severity);
// "k=v k2=v2" of an object, or absent.
TableCell LabelsCell(const Json& labels);

// A number in its unit; at least `digits` significant ones, however small it is.
std::string FormatQuantity(double value, std::string_view unit, int digits = 4);
// Two numbers of one unit, with as many digits as it takes to tell them apart.
struct TwoQuantities {
  std::string first;
  std::string second;
};
TwoQuantities FormatApart(double first, double second, std::string_view unit);
// "1 robot", "3 robots"
std::string CountOf(std::size_t count, std::string_view noun);
// "rb1 rb2 rb3 rb4 rb5 rb6 and 3 more"
std::string ListOf(const std::vector<std::string>& names);
std::string FormatDuration(double seconds);
std::string FormatShare(double share);
// "2026-11-28T10:00:05.250Z": ISO 8601, only as many decimals as there are.
std::string FormatIso(WallTime at);
// "2026-11-28 10:00:05"
std::string FormatTime(WallTime at);
// The shortest text that reads back as the same number.
std::string FormatExact(double value);

// Nobody vouches for times of these: "never" set, a bare "rtc", or not known at all.
bool IsEstimate(std::string_view trust);

}  // namespace tacho
