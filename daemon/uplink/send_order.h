// Which stream goes first.
#pragma once

#include <vector>

#include "common/ids.h"
#include "daemon/spool/spool.h"

namespace tacho {

// By tier; within a tier the boot that runs now, then the others from the newest on.
void SortForSending(std::vector<SpooledStream>& streams, const BootId& current);

}  // namespace tacho
