// What changed at a robot's recorder between two of its statuses (docs/formats/local.md).
#pragma once

#include <string>
#include <vector>

#include "common/json.h"

namespace tacho {

// "power_rail" and "power_rail/VDD_IN" both choose the rail; an empty pattern chooses all.
bool IsChosen(const Json& series, const std::string& pattern);

// A line each, in order: the events, then the chosen series whose value, or reason for having none,
// is another than before. `before` is null at first: then every chosen series has a line. The
// status has no events of its own: these are the differences that an engineer would ask about.
//   {"wall_ns", "clock_trust", "what": "value", "metric", "instance", "value", "unit", "why"}
//   {"wall_ns", "clock_trust", "what": "event", "kind", "detail"}
std::vector<Json> EventsBetween(const Json& before, const Json& now);
std::vector<Json> ValuesBetween(const Json& before, const Json& now, const std::string& pattern);
Json LiveEvent(const Json& status, std::string kind, std::string detail);

}  // namespace tacho
