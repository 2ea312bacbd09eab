// The fleet server's configuration file (docs/server.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/time.h"
#include "rpc/endpoint.h"
#include "server/people.h"
#include "server/store/rows.h"

namespace tacho {

struct ServerConfig {
  Endpoint listen{.address = "127.0.0.1:4440", .tls = {}};
  std::filesystem::path data = "/var/lib/tacho-server";
  std::filesystem::path budgets;  // empty: none, and every verdict is NO_DATA
  bool admits_any = true;         // false: only robots of the roster
  Nanos silent_after = std::chrono::minutes(5);
  Nanos retention = std::chrono::hours(24 * 90);
  std::int64_t compaction_rows = 1000;
  std::int64_t queue_bytes = 64 << 20;
  std::int64_t robot_bytes_per_second = 4 << 20;
  std::int64_t robot_burst_bytes = 64 << 20;
  std::vector<RosterEntry> roster;
  People people;
};

// kInvalid with every mistake on a line of its own, each with file and line.
Result<ServerConfig> ParseServerConfig(std::string_view text, std::string_view file);

}  // namespace tacho
