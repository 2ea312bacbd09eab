// The uplink's configuration file (docs/uplink.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/status.h"
#include "common/time.h"
#include "rpc/endpoint.h"

namespace tacho {

struct UplinkSettings {
  std::string robot;
  Endpoint server;
  std::filesystem::path system_root = "/";  // whose boot_id is this robot's; as the recorder's
  std::filesystem::path spool_folder = "/var/lib/tacho/spool";
  std::filesystem::path wake_socket = "/run/tacho/wake.sock";
  Nanos flush_interval = std::chrono::seconds(10);
  Nanos retry_at_most = std::chrono::minutes(5);
};

// kInvalid with every mistake on a line of its own, each with file and line.
Result<UplinkSettings> ParseUplinkConfig(std::string_view text, std::string_view file);

}  // namespace tacho
