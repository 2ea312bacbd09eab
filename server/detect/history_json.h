// A history's verdicts as JSON, for scripts (docs/detecting.md).
#pragma once

#include "common/json.h"
#include "server/detect/history.h"

namespace tacho::detect {

// [first index of each new segment]
Json IndicesJson(const History& history);

// Everything, with `adjusted_p` (false_discovery.h) as "q". What does not exist is null.
Json FullJson(const History& history, double adjusted_p);

}  // namespace tacho::detect
