// What the recorder says of itself when asked (docs/formats/local.md, "status").
#pragma once

#include <span>
#include <string>

#include "common/json.h"
#include "daemon/recorder/recorder.h"
#include "daemon/recorder/recorder_config.h"
#include "daemon/recorder/source_list.h"

namespace tacho {

// Loop thread.
class StatusReport {
 public:
  // All outlive the report.
  StatusReport(const Recorder& recorder, std::span<const SourceState> sources,
               const RecorderConfig& config, std::string agent)
      : recorder_(recorder), sources_(sources), config_(config), agent_(std::move(agent)) {}

  Json Make() const;

 private:
  Json Sources(BootTime now) const;
  Json Series(BootTime now) const;
  Json Spool() const;

  const Recorder& recorder_;
  const std::span<const SourceState> sources_;
  const RecorderConfig& config_;
  const std::string agent_;
};

}  // namespace tacho
