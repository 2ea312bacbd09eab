// One function for each table of the file.
#include "daemon/recorder/recorder_config.h"

#include <utility>

#include "common/toml.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kKiB = 1 << 10;
constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kGiB = 1 << 30;

void ReadPath(TomlReader& table, std::string_view key, std::filesystem::path& to) {
  std::string text = to.string();
  table.Text(key, text);
  to = text;
}

void ReadSource(TomlReader& table, Nanos base, SourceConfig& to) {
  table.Bool("enabled", to.is_enabled);
  table.Duration("period", to.period, base, 1h);
  if (to.period % base != Nanos::zero()) {
    table.Complain(table.LineOf("period"), "period must be a whole multiple of [sampler] period");
  }
  table.Finish();
}

void ReadSources(TomlReader& root, const std::vector<std::string>& known, RecorderConfig& config) {
  auto sources = root.Table("source");
  if (!sources) return;
  for (const std::string& name : known) {
    auto table = sources->Table(name);
    if (!table) continue;
    SourceConfig source;
    ReadSource(*table, config.period, source);
    if (source != SourceConfig{}) config.sources[name] = source;
  }
  sources->Finish();
}

void ReadTegrastats(TomlReader& root, TegrastatsConfig& to) {
  auto feeds = root.Table("feed");
  if (!feeds) return;
  if (auto table = feeds->Table("tegrastats")) {
    table->Bool("enabled", to.is_enabled);
    table->Text("program", to.program);
    ReadPath(*table, "file", to.file);
    table->Duration("interval", to.interval, 100ms, 1min);
    table->Duration("replay_pace", to.replay_pace, 1ms, 1min);
    table->Finish();
  }
  feeds->Finish();
}

void ReadSpool(TomlReader& root, RecorderConfig& config) {
  auto table = root.Table("spool");
  if (!table) return;
  ReadPath(*table, "folder", config.spool.folder);
  table->ByteSize("max", config.spool.max_bytes, kMiB, 64 * kGiB);
  table->ByteSize("segment", config.spool.segment_bytes, 64 * kKiB, 64 * kMiB);
  table->ByteSize("ram", config.spool.ram_bytes, 64 * kKiB, kGiB);
  table->ByteSize("queue", config.queue_bytes, 64 * kKiB, 64 * kMiB);
  table->Duration("sync", config.sync.period, 100ms, 10min);
  table->Duration("sync_after_alarm", config.sync.alarm_period, 100ms, 10min);
  table->Duration("stuck_after", config.stuck_after, 10s, 1h);
  if (config.spool.segment_bytes * 2 > config.spool.max_bytes) {
    table->Complain(table->LineOf("segment"), "segment must not be above half of max");
  }
  table->Finish();
}

void ReadFlight(TomlReader& root, FlightConfig& to) {
  auto table = root.Table("flight");
  if (!table) return;
  ReadPath(*table, "file", to.file);
  table->ByteSize("size", to.bytes, 64 * kKiB, kGiB);
  table->Finish();
}

void ReadSocket(TomlReader& root, std::string_view name, std::filesystem::path& to) {
  auto table = root.Table(name);
  if (!table) return;
  ReadPath(*table, "socket", to);
  table->Finish();
}

void ReadSampler(TomlReader& root, RecorderConfig& config) {
  auto table = root.Table("sampler");
  if (!table) return;
  table->Duration("period", config.period, 1ms, 1min);
  table->Duration("telemetry", config.telemetry_period, 1s, 1h);
  table->Finish();
}

}  // namespace

Result<RecorderConfig> ParseRecorderConfig(std::string_view text, std::string_view file,
                                           const std::vector<std::string>& known_sources) {
  const auto parsed = ParseToml(text, file);
  if (!parsed.ok()) return Status(*parsed.error());
  TomlComplaints complaints;
  TomlReader root(*parsed, std::string(file), complaints);
  RecorderConfig config;
  ReadPath(root, "system_root", config.system_root);
  ReadSampler(root, config);
  ReadSources(root, known_sources, config);
  ReadTegrastats(root, config.tegrastats);
  ReadSpool(root, config);
  ReadFlight(root, config.flight);
  ReadSocket(root, "local", config.local_socket);
  ReadSocket(root, "wake", config.wake_socket);
  root.TextMap("setup", config.setup);
  root.Finish();
  TACHO_TRY(AsStatus(complaints));
  return config;
}

}  // namespace tacho
