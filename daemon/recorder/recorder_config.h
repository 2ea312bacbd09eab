// The recorder's configuration file, tachod.toml (docs/recorder.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/time.h"
#include "daemon/recorder/flight_ring.h"
#include "daemon/recorder/sync_policy.h"
#include "daemon/spool/spool.h"

namespace tacho {

struct SourceConfig {
  bool is_enabled = true;
  Nanos period{};  // zero: the sampler's own
  bool operator==(const SourceConfig&) const = default;
};

struct TegrastatsConfig {
  bool is_enabled = true;
  std::string program = "tegrastats";  // looked up in PATH; not there: no feed, no error
  std::filesystem::path file;          // a log or pipe instead of the program
  Nanos interval = std::chrono::seconds(1);
  Nanos replay_pace{};  // between the lines of a log; zero: `interval`
  bool operator==(const TegrastatsConfig&) const = default;
};

struct RecorderConfig {
  std::filesystem::path system_root = "/";
  Nanos period = std::chrono::seconds(1);
  Nanos telemetry_period = std::chrono::seconds(10);
  std::map<std::string, SourceConfig> sources;
  TegrastatsConfig tegrastats;
  SpoolConfig spool{.folder = "/var/lib/tacho/spool"};
  SyncConfig sync;
  std::int64_t queue_bytes = 1 << 20;           // between the loop and the spool
  Nanos stuck_after = std::chrono::minutes(2);  // the watchdog's patience with the disk
  FlightConfig flight;
  std::filesystem::path local_socket = "/run/tacho/recorder.sock";
  std::filesystem::path wake_socket = "/run/tacho/wake.sock";
  std::map<std::string, std::string> setup;

  SourceConfig Source(const std::string& name) const {
    const auto found = sources.find(name);
    return found == sources.end() ? SourceConfig{} : found->second;
  }
};

// Fails with kInvalid and all mistakes at once, a line each: "tachod.toml:7: ...".
// `known_sources`: a table [source.NAME] of another name is a mistake.
Result<RecorderConfig> ParseRecorderConfig(std::string_view text, std::string_view file,
                                           const std::vector<std::string>& known_sources);

}  // namespace tacho
