// What crosses from a measuring thread to the loop thread: one value, or the reason there is none.
#pragma once

#include <cstdint>

#include "common/metric.h"
#include "common/spsc_ring.h"
#include "common/time.h"

namespace tacho {

struct Reading {
  BootTime at;  // of the whole sweep
  std::int64_t value = 0;
  ChannelId channel{};
  GroupId group{};
  Why why = Why::kPresent;
};

// Stands in `channel` to say that the row of `group` is complete.
inline constexpr ChannelId kEndOfRow{0xFFFFFFFFu};
// What a book answers when it is full: its readings are counted and go nowhere.
inline constexpr ChannelId kNoChannel{0xFFFFFFFEu};

using ReadingRing = SpscRing<Reading>;

}  // namespace tacho
