// Two pieces that meet without a jump: where a drift begins or ends, no step happened.
#pragma once

#include "server/detect/partition.h"

namespace tacho::detect {

// The smallest squared error (as PieceCosts counts it) of a line that covers both pieces and bends
// once, wherever that is best; a side whose piece is not sloped stays flat. Requires: `right`
// begins where `left` ends.
double CostOfBend(const PieceCosts& costs, const Piece& left, const Piece& right);

}  // namespace tacho::detect
