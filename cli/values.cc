// Turns the values of an answer into cells: with their units for people, exact for programs.
#include "cli/values.h"

#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include "common/metric.h"

namespace tacho {
namespace {

struct Scale {
  double at_least;
  double divisor;
  std::string_view unit;
};

// From large to small; the first that fits is used, the last for whatever is smaller.
constexpr std::array<Scale, 4> kSeconds = {
    {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {0, 1e-9, "ns"}}};
constexpr std::array<Scale, 4> kHertz = {
    {{1e9, 1e9, "GHz"}, {1e6, 1e6, "MHz"}, {1e3, 1e3, "kHz"}, {0, 1, "Hz"}}};
constexpr std::array<Scale, 5> kBytes = {{{1099511627776.0, 1099511627776.0, "TiB"},
                                          {1073741824.0, 1073741824.0, "GiB"},
                                          {1048576.0, 1048576.0, "MiB"},
                                          {1024.0, 1024.0, "KiB"},
                                          {0, 1, "B"}}};
constexpr std::array<Scale, 2> kWatts = {{{1, 1, "W"}, {0, 1e-3, "mW"}}};
constexpr std::array<Scale, 2> kVolts = {{{1, 1, "V"}, {0, 1e-3, "mV"}}};
constexpr std::array<Scale, 2> kAmperes = {{{1, 1, "A"}, {0, 1e-3, "mA"}}};
constexpr std::array<Scale, 1> kCelsius = {{{0, 1, "C"}}};
constexpr std::array<Scale, 1> kJoules = {{{0, 1, "J"}}};
constexpr std::array<Scale, 1> kRatio = {{{0, 0.01, "%"}}};
constexpr std::array<Scale, 1> kNone = {{{0, 1, ""}}};

std::span<const Scale> ScalesOf(std::string_view symbol) {
  Unit unit{};
  if (!ParseUnit(symbol, unit)) return {};
  switch (unit) {
    case Unit::kSeconds:
      return kSeconds;
    case Unit::kHertz:
      return kHertz;
    case Unit::kBytes:
      return kBytes;
    case Unit::kWatts:
      return kWatts;
    case Unit::kVolts:
      return kVolts;
    case Unit::kAmperes:
      return kAmperes;
    case Unit::kCelsius:
      return kCelsius;
    case Unit::kJoules:
      return kJoules;
    case Unit::kRatio:
      return kRatio;
    case Unit::kNone:
    case Unit::kCount:
      return kNone;
  }
  return kNone;
}

// Never an exponent for what people still read at a glance, never an integer part cut short, and
// never fewer digits for being small: 0.000416 is not 0.
std::string Significant(double value, int digits) {
  const double size = std::fabs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return fmt::format("{:.{}g}", value, digits);
  // Of 0.000416 it is -3: its first digit is the fourth behind the point.
  const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 1;
  std::string text = fmt::format("{:.{}f}", value, whole >= digits ? 0 : digits - whole);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string Scaled(double value, const Scale& scale, int digits) {
  const std::string number = Significant(value / scale.divisor, digits);
  return scale.unit.empty() ? number : fmt::format("{} {}", number, scale.unit);
}

const Scale& Fitting(std::span<const Scale> scales, double value) {
  const double size = value == 0 ? 1 : std::fabs(value);  // zero is told in the base unit
  for (const Scale& scale : scales) {
    if (size >= scale.at_least) return scale;
  }
  return scales.back();
}

struct Civil {
  std::chrono::year_month_day date{};
  std::int64_t second_of_day = 0;
  std::int64_t nanos = 0;
};

// In plain integers, since a hostile time at the very end of 64 bits must not overflow.
Civil CivilOf(WallTime at) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  constexpr std::int64_t kDay = 86'400;
  std::int64_t seconds = Count(at) / kSecond;
  std::int64_t nanos = Count(at) % kSecond;
  if (nanos < 0) {
    nanos += kSecond;
    --seconds;
  }
  std::int64_t day = seconds / kDay;
  if (seconds % kDay < 0) --day;
  return {std::chrono::sys_days(std::chrono::days(day)), seconds - day * kDay, nanos};
}

std::string FormatDateAndTime(const Civil& civil, char between) {
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}", static_cast<int>(civil.date.year()),
                     static_cast<unsigned>(civil.date.month()),
                     static_cast<unsigned>(civil.date.day()), between, civil.second_of_day / 3600,
                     civil.second_of_day / 60 % 60, civil.second_of_day % 60);
}

}  // namespace

TableCell Absent() {
  return {.shown = "-", .raw = "-", .tone = Tone::kDim, .is_absent = true};
}

TableCell WordCell(const Json& value) {
  return TextCell(value.AsText());
}

TableCell TextCell(std::string_view text, Tone tone) {
  if (text.empty()) return Absent();
  return {.shown = std::string(text), .raw = std::string(text), .tone = tone};
}

TableCell CountCell(const Json& value) {
  if (!value.is_number()) return Absent();
  return TextCell(fmt::format("{}", value.AsInt()));
}

TableCell QuantityCell(const Json& value, std::string_view unit) {
  if (!value.is_number()) return Absent();
  const double number = value.AsDouble();
  return {.shown = FormatQuantity(number, unit), .raw = FormatExact(number)};
}

TableCell ShareCell(const Json& value) {
  if (!value.is_number()) return Absent();
  return {.shown = FormatShare(value.AsDouble()), .raw = FormatExact(value.AsDouble())};
}

TableCell TimeCell(const Json& wall_ns, std::string_view trust) {
  if (!wall_ns.is_number()) return Absent();
  const WallTime at = WallTimeOf(wall_ns.AsInt());
  return {.shown = (IsEstimate(trust) ? "~" : "") + FormatTime(at), .raw = FormatIso(at)};
}

TableCell AgeCell(const Json& wall_ns, WallTime now) {
  constexpr double kClockSkew = 60;  // seconds that two clocks of a fleet may well differ by
  if (!wall_ns.is_number()) return Absent();
  const WallTime at = WallTimeOf(wall_ns.AsInt());
  const double seconds = (static_cast<double>(Count(now)) - static_cast<double>(Count(at))) / 1e9;
  if (seconds < -kClockSkew) return {.shown = FormatTime(at), .raw = FormatIso(at)};
  if (seconds < 0) return {.shown = "now", .raw = FormatIso(at)};
  return {.shown = FormatDuration(std::floor(seconds)) + " ago", .raw = FormatIso(at)};
}

TableCell DurationCell(const Json& seconds) {
  if (!seconds.is_number()) return Absent();
  return {.shown = FormatDuration(seconds.AsDouble()), .raw = FormatExact(seconds.AsDouble())};
}

TableCell SeverityCell(const Json& severity) {
  TableCell cell = WordCell(severity);
  if (cell.raw == "error") cell.tone = Tone::kBad;
  if (cell.raw == "warning") cell.tone = Tone::kWarn;
  return cell;
}

TableCell LabelsCell(const Json& labels) {
  std::string text;
  for (const auto& [key, value] : labels.members()) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{}={}", key, value.is_text() ? value.AsText() : value.Dump());
  }
  return TextCell(text);
}

std::string FormatQuantity(double value, std::string_view unit, int digits) {
  const auto scales = ScalesOf(unit);
  // A unit that this version does not know stands as it came.
  if (scales.empty()) return Scaled(value, {0, 1, unit}, digits);
  return Scaled(value, Fitting(scales, value), digits);
}

TwoQuantities FormatApart(double first, double second, std::string_view unit) {
  constexpr int kMostDigits = 12;
  for (int digits = 4;; ++digits) {
    TwoQuantities texts{FormatQuantity(first, unit, digits), FormatQuantity(second, unit, digits)};
    if (texts.first != texts.second || first == second || digits == kMostDigits) return texts;
  }
}

std::string CountOf(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string ListOf(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 6;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i) {
    text += (i == 0 ? "" : " ") + names[i];
  }
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

std::string FormatDuration(double seconds) {
  if (seconds < 0) return "-" + FormatDuration(-seconds);
  if (seconds < 60) return fmt::format("{}s", Significant(seconds, 3));
  if (!(seconds <= 1e12)) return fmt::format("{:.3g}s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds);
  const std::int64_t minutes = whole / 60;
  const std::int64_t hours = minutes / 60;
  if (hours == 0) return fmt::format("{}m{:02}s", minutes, whole % 60);
  if (hours < 24) return fmt::format("{}h{:02}m", hours, minutes % 60);
  return fmt::format("{}d{:02}h", hours / 24, hours % 24);
}

std::string FormatShare(double share) {
  const double percent = 100 * share;
  if (share > 0 && percent < 0.05) return "<0.1 %";
  if (share < 1 && percent >= 99.95) return "99.9 %";
  // To the nearest tenth, as the server rounds in its sentences: one page says one number.
  std::string number = fmt::format("{:.1f}", percent);
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number + " %";
}

std::string FormatIso(WallTime at) {
  const Civil civil = CivilOf(at);
  std::string text = FormatDateAndTime(civil, 'T');
  if (civil.nanos != 0) {
    text += fmt::format(".{:09}", civil.nanos);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + "Z";
}

std::string FormatTime(WallTime at) {
  return FormatDateAndTime(CivilOf(at), ' ');
}

std::string FormatExact(double value) {
  return fmt::format("{}", value);
}

bool IsEstimate(std::string_view trust) {
  return trust.empty() || trust == "never" || trust == "rtc";
}

}  // namespace tacho
