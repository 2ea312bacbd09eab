// A limit as people write it, "65 C" or "250 ms", and the unit of what it limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/metric.h"

namespace tacho {

struct Limit {
  double value = 0;  // in the base unit
  Unit unit{};
  bool is_per_second = false;
};

// A number, then a unit with its prefix: C, W mW kW, Hz kHz MHz GHz, B kB MB GB KiB MiB GiB, % (a
// ratio), s ms us ns min h, V mV, A mA, J mJ kJ Wh kWh, or none; "/s" after it for a rate.
std::optional<Limit> ParseLimit(std::string_view text);

// "W", "B/s"; what a verdict prints behind its numbers.
std::string SymbolOf(const Limit& limit);

}  // namespace tacho
