#include "daemon/uplink/uplink_config.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/toml.h"

namespace tacho {

namespace {

constexpr std::size_t kMaxRobotBytes = 64;

void ReadPath(TomlReader& table, std::string_view key, std::filesystem::path& to) {
  std::string text = to.string();
  table.Text(key, text);
  to = text;
}

void ReadTls(TomlReader& root, TlsFiles& to) {
  auto table = root.Table("tls");
  if (!table) return;
  ReadPath(*table, "authority", to.authority);
  ReadPath(*table, "certificate", to.certificate);
  ReadPath(*table, "key", to.key);
  table->Finish();
}

void ReadOne(TomlReader& root, std::string_view name, std::string_view key,
             std::filesystem::path& to) {
  auto table = root.Table(name);
  if (!table) return;
  ReadPath(*table, key, to);
  if (to.empty()) table->Complain(table->LineOf(key), std::string(key) + " must not be empty");
  table->Finish();
}

bool IsRobotName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxRobotBytes &&
         std::none_of(name.begin(), name.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return byte < 0x20 || byte == 0x7F;
         });
}

void CheckSettings(TomlReader& root, const UplinkSettings& settings) {
  if (!root.Has("robot")) {
    root.Complain(1, "robot is missing: the name in this robot's certificate");
  } else if (!IsRobotName(settings.robot)) {
    root.Complain(root.LineOf("robot"), "robot must have 1 to 64 bytes and no control characters");
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
