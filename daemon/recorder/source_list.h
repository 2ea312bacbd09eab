// Which sources this board has, and what became of the others.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "daemon/recorder/channels.h"
#include "daemon/recorder/recorder_config.h"
#include "daemon/recorder/source_slot.h"

namespace tacho {

// One kind of source as it was found at start.
struct SourceState {
  enum class What { kOpen, kAbsent, kOff };
  std::string name;
  What what = What::kAbsent;
  std::string detail;        // why it is not open
  std::size_t channels = 0;  // that it named when it opened
  ChannelId first{};         // the others follow it: sources open one after the other
};

struct SourceList {
  std::vector<SourceState> states;
  std::vector<std::unique_ptr<SourceSlot>> slots;
};

// Opens each kind as the configuration says. One that fails costs only itself. Sources of one
// period share a group: "board" at the sampler's own period, "board/5s" at others.
SourceList OpenSources(std::span<const SourceKind* const> kinds, const RecorderConfig& config,
                       Channels& channels);

}  // namespace tacho
