#include "daemon/uplink/uplink_config.h"

#include <fmt/format.h>
#include <utility>

#include "common/ids.h"
#include "common/toml.h"

namespace tacho {

namespace {

void ReadOne(TomlReader& root, std::string_view name, std::string_view key,
             std::filesystem::path& to) {
  auto table = root.Table(name);
  if (!table) return;
  table->Path(key, to);
  if (to.empty()) table->Complain(table->LineOf(key), std::string(key) + " must not be empty");
  table->Finish();
}

void CheckSettings(TomlReader& root, const UplinkSettings& settings) {
  if (!root.Has("robot")) {
    root.Complain(1, "robot is missing: the name in this robot's certificate");
  } else if (!IsRobotName(settings.robot)) {
    root.Complain(root.LineOf("robot"),
                  fmt::format("\"{}\" is no robot's name: {}", settings.robot, kRobotNameRule));
  }
  if (!root.Has("server")) {
    root.Complain(1, "server is missing: \"host:port\" or \"unix:/path\"");
  } else if (const Status status = CheckEndpoint(settings.server); !status.ok()) {
    root.Complain(root.LineOf("server"), "server: " + status.message());
  }
}

}  // namespace

Result<UplinkSettings> ParseUplinkConfig(std::string_view text, std::string_view file) {
  auto tree = ParseToml(text, file);
  if (!tree.ok()) return std::move(tree).status();
  TomlComplaints complaints;
  TomlReader root(*tree, std::string(file), complaints);
  UplinkSettings settings;
  root.Text("robot", settings.robot);
  root.Text("server", settings.server.address);
  std::string system_root = settings.system_root;
  root.Text("system_root", system_root);
  settings.system_root = system_root;
  root.Duration("flush", settings.flush_interval, std::chrono::seconds(1),
                std::chrono::minutes(10));
  root.Duration("retry_at_most", settings.retry_at_most, std::chrono::seconds(1),
                std::chrono::hours(1));
  ReadTls(root, settings.server.tls);
  ReadOne(root, "spool", "folder", settings.spool_folder);
  ReadOne(root, "wake", "socket", settings.wake_socket);
  CheckSettings(root, settings);
  root.Finish();
  TACHO_TRY(AsStatus(complaints));
  return settings;
}

}  // namespace tacho
