// Where the noise itself changed: a controller that began to hunt, a clock that was pinned.
#pragma once

#include <span>
#include <vector>

#include "server/detect/history.h"

namespace tacho::detect {

// Cuts the deviations from the level by their size, in halves while it pays. Requires: deviations
// that do not depend on each other. Indices are positions in `deviations`; before and after are
// standard deviations.
std::vector<SpreadChange> FindSpreadChanges(std::span<const double> deviations,
                                            const HistoryOptions& options);

}  // namespace tacho::detect
