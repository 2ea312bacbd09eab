// A series of the server's answer as a drawing, with a line that says how much of it there is.
#pragma once

#include <cstddef>
#include <string>

#include "cli/page.h"
#include "common/json.h"

namespace tacho {

// A point of the wire is [wall_ns or null, boot_ns, value]; null where it is none.
const Json& WallOfPoint(const Json& point);
const Json& BootOfPoint(const Json& point);
const Json& ValueOfPoint(const Json& point);

// "power_rail VDD_IN (mean)"
std::string NameOfSeries(const Json& series);
// "no value; without a value: gated 40"
std::string NoValueText(const Json& series);
bool HasValue(const Json& series);

// Whether the server left readings out to keep to `most_points` (0: no limit). A server that does
// not count them may have, where it sent as many points as it was allowed.
bool IsThinned(const Json& series, std::size_t most_points);

// Boot time orders the points of a run; those of a window may be of several boots.
enum class Axis { kBoot, kWall };

struct DrawingSize {
  int width = 80;
  int rows = 6;
};

// A section for text alone. `most_points` is what the server was asked for.
Section DrawSeries(const Json& series, Axis axis, DrawingSize size, std::size_t most_points,
                   const Style& style);

}  // namespace tacho
