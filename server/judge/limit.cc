#include "server/judge/limit.h"

#include <charconv>
#include <cmath>

namespace tacho {
namespace {

struct UnitText {
  std::string_view text;
  Unit unit;
  double factor;
};

constexpr UnitText kUnits[] = {
    {"", Unit::kNone, 1},
    {"C", Unit::kCelsius, 1},
    {"\u00b0C", Unit::kCelsius, 1},
    {"W", Unit::kWatts, 1},
    {"mW", Unit::kWatts, 1e-3},
    {"kW", Unit::kWatts, 1e3},
    {"Hz", Unit::kHertz, 1},
    {"kHz", Unit::kHertz, 1e3},
    {"MHz", Unit::kHertz, 1e6},
    {"GHz", Unit::kHertz, 1e9},
    {"B", Unit::kBytes, 1},
    {"kB", Unit::kBytes, 1e3},
    {"MB", Unit::kBytes, 1e6},
    {"GB", Unit::kBytes, 1e9},
    {"KiB", Unit::kBytes, 1024},
    {"MiB", Unit::kBytes, 1048576},
    {"GiB", Unit::kBytes, 1073741824},
    {"%", Unit::kRatio, 1e-2},
    {"s", Unit::kSeconds, 1},
    {"ms", Unit::kSeconds, 1e-3},
    {"us", Unit::kSeconds, 1e-6},
    {"ns", Unit::kSeconds, 1e-9},
    {"min", Unit::kSeconds, 60},
    {"h", Unit::kSeconds, 3600},
    {"V", Unit::kVolts, 1},
    {"mV", Unit::kVolts, 1e-3},
    {"A", Unit::kAmperes, 1},
    {"mA", Unit::kAmperes, 1e-3},
    {"J", Unit::kJoules, 1},
    {"mJ", Unit::kJoules, 1e-3},
    {"kJ", Unit::kJoules, 1e3},
    {"Wh", Unit::kJoules, 3600},
    {"kWh", Unit::kJoules, 3.6e6},
};

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

// Dividing by a power of ten rounds right where multiplying by its inverse does not: 250 ms must be
// the same double as a measured 250,000,000 ns.
double Scaled(double number, double factor) {
  return factor < 1 ? number / std::round(1 / factor) : number * factor;
}

}  // namespace

std::optional<Limit> ParseLimit(std::string_view text) {
  text = Trim(text);
  Limit limit;
  double number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string_view unit = Trim(text.substr(static_cast<std::size_t>(end - text.data())));
  if (unit.ends_with("/s")) {
    limit.is_per_second = true;
    unit = Trim(unit.substr(0, unit.size() - 2));
  }
  for (const UnitText& known : kUnits) {
    if (known.text != unit) continue;
    limit.unit = known.unit;
    limit.value = Scaled(number, known.factor);
    return limit;
  }
  return std::nullopt;
}

std::string SymbolOf(const Limit& limit) {
  return std::string(SymbolOf(limit.unit)) + (limit.is_per_second ? "/s" : "");
}

}  // namespace tacho
