// Units and reasons as text.
#include "common/metric.h"

#include <array>
#include <utility>

namespace tacho {
namespace {

constexpr std::array<std::pair<Unit, std::string_view>, 9> kSymbols = {{
    {Unit::kCelsius, "C"},
    {Unit::kWatts, "W"},
    {Unit::kHertz, "Hz"},
    {Unit::kBytes, "B"},
    {Unit::kRatio, "ratio"},
    {Unit::kSeconds, "s"},
    {Unit::kVolts, "V"},
    {Unit::kAmperes, "A"},
    {Unit::kJoules, "J"},
}};

}  // namespace

std::string_view SymbolOf(Unit unit) {
  for (const auto& [known, symbol] : kSymbols) {
    if (known == unit) return symbol;
  }
  return "";
}

bool ParseUnit(std::string_view symbol, Unit& unit) {
  if (symbol.empty()) {
    unit = Unit::kNone;
    return true;
  }
  for (const auto& [known, text] : kSymbols) {
    if (text == symbol) {
      unit = known;
      return true;
    }
  }
  return false;
}

std::string_view NameOf(Why why) {
  switch (why) {
    case Why::kPresent:
      return "present";
    case Why::kGated:
      return "gated";
    case Why::kDisabled:
      return "disabled";
    case Why::kBroken:
      return "broken";
    case Why::kForbidden:
      return "forbidden";
    case Why::kUnparsable:
      return "unparsable";
    case Why::kMissing:
      return "missing";
  }
  return "unknown";
}

}  // namespace tacho
