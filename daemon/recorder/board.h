// Everything of a robot's board that is measured, put together from the configuration.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collector/feeds/tegrastats_reader.h"
#include "daemon/recorder/channels.h"
#include "daemon/recorder/intake.h"
#include "daemon/recorder/recorder_config.h"
#include "daemon/recorder/setup_keeper.h"
#include "daemon/recorder/source_list.h"

namespace tacho {

// Loop thread. Made whole, whatever is missing on the board.
class Board {
 public:
  // `agent` goes into the setup: "tachod 0.1.0".
  Board(const Clock& clock, const RecorderConfig& config, const std::string& agent);

  Channels& channels() { return channels_; }
  SetupKeeper& setup() { return setup_; }
  Intake& intake() { return intake_; }
  const std::vector<SourceState>& sources() const { return sources_.states; }
  // nullptr without that feed.
  const TegrastatsCounters* tegrastats() const { return tegrastats_; }

 private:
  void AddTegrastats(const Clock& clock, const TegrastatsConfig& config);

  Channels channels_;
  SetupKeeper setup_;
  SourceList sources_;
  Intake intake_;
  const TegrastatsCounters* tegrastats_ = nullptr;
};

}  // namespace tacho
