#include "server/config.h"

#include <fmt/format.h>
#include <map>
#include <utility>

#include "common/ids.h"
#include "common/toml.h"
#include "server/check.h"

namespace tacho {
namespace {

void ReadAdmission(TomlReader& root, bool& admits_any) {
  std::string admit = admits_any ? "any" : "roster";
  root.Text("admit", admit);
  if (admit != "any" && admit != "roster") {
    root.Complain(root.LineOf("admit"), "admit must be \"any\" or \"roster\"");
  }
  admits_any = admit == "any";
}

void ReadLimits(TomlReader& root, ServerConfig& config) {
  auto table = root.Table("limits");
  if (!table) return;
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  table->ByteSize("queue", config.queue_bytes, 1 << 20, kMost);
  table->ByteSize("robot_bytes_per_second", config.robot_bytes_per_second, 1024, kMost);
  table->ByteSize("robot_burst", config.robot_burst_bytes, 1 << 20, kMost);
  table->Finish();
}

// [people]: who may ask over a connection with certificates.
void ReadPeople(TomlReader& root, ServerConfig& config) {
  auto table = root.Table("people");
  if (!table) return;
  std::map<std::string, Role> roles;
  const auto read = [&](const char* key, Role role) {
    std::vector<std::string> names;
    table->Texts(key, names);
    for (const std::string& name : names) {
      if (name.empty()) table->Complain(table->LineOf(key), "a certificate's name is not empty");
      roles[name] = role;
    }
  };
  read("viewers", Role::kViewer);
  read("admins", Role::kAdmin);
  table->Finish();
  for (const RosterEntry& robot : config.roster) {
    if (!roles.contains(robot.robot)) continue;
    root.Complain(root.LineOf("people"),
                  fmt::format("{} is a robot: a robot's certificate may not ask", robot.robot));
  }
  config.people = People(std::move(roles));
}

// [robots.NAME]: every name is a key, so that none of them is unknown.
void ReadRoster(const TomlTable& tree, TomlReader& root, ServerConfig& config) {
  auto robots = root.Table("robots");
  if (!robots) return;
  const auto* names = std::get_if<TomlTable>(&tree.find("robots")->second.value);
  for (const auto& [name, value] : *names) {
    auto table = robots->Table(name);
    if (!table) continue;
    RosterEntry entry;
    entry.robot = name;
    table->Bool("expected", entry.is_expected);
    table->Bool("retired", entry.is_retired);
    table->TextMap("labels", entry.labels);
    table->Finish();
    if (!IsRobotName(name)) {
      robots->Complain(value.line,
                       fmt::format("\"{}\" is no robot's name: {}", name, kRobotNameRule));
    }
    config.roster.push_back(std::move(entry));
  }
  robots->Finish();
}

}  // namespace

Result<ServerConfig> ParseServerConfig(std::string_view text, std::string_view file) {
  const auto tree = ParseToml(text, file);
  if (!tree.ok()) return *tree.error();
  TomlComplaints complaints;
  TomlReader root(*tree, std::string(file), complaints);
  ServerConfig config;
  root.Text("listen", config.listen.address);
  root.Path("data", config.data);
  root.Path("budgets", config.budgets);
  ReadAdmission(root, config.admits_any);
  root.Duration("silent_after", config.silent_after, std::chrono::seconds(10),
                std::chrono::hours(24 * 30));
  root.Duration("retention", config.retention, std::chrono::hours(24),
                std::chrono::hours(24 * 3650));
  root.Int("compaction_rows", config.compaction_rows, 10, 100000);
  ReadTls(root, config.listen.tls);
  ReadLimits(root, config);
  ReadRoster(*tree, root, config);
  ReadPeople(root, config);
  root.Finish();
  TACHO_TRY(AsStatus(complaints));
  return config;
}

}  // namespace tacho
