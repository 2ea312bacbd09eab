// One sweep of one group, as the loop thread sees it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/metric.h"
#include "common/time.h"

namespace tacho {

struct Cell {
  ChannelId channel{};
  std::int64_t value = 0;  // 0 and meaningless unless kPresent
  Why why = Why::kPresent;
  bool operator==(const Cell&) const = default;
};

// A channel that is not among the cells was not read in this sweep.
struct Row {
  GroupId group{};
  BootTime at;
  std::vector<Cell> cells;
  bool operator==(const Row&) const = default;
};

}  // namespace tacho
