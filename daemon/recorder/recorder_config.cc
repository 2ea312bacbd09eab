// One function for each table of the file.
#include "daemon/recorder/recorder_config.h"

#include <string>
#include <utility>
#include <vector>

#include "common/toml.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kKiB = 1 << 10;
constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kGiB = 1 << 30;

// Gives the key's line; 0 where the default holds.
int ReadPath(TomlReader& table, std::string_view key, std::filesystem::path& to) {
  table.Path(key, to);
  return table.Has(key) ? table.LineOf(key) : 0;
}

// Paths of the file that must differ: each would overwrite what the other keeps there.
class DistinctPaths {
 public:
  // `key`: "[wake] socket". Empty paths name nothing.
  void Add(std::string_view key, const std::filesystem::path& path, int line) {
    if (!path.empty()) places_.push_back({std::string(key), path.lexically_normal(), line});
  }
  // Complains of each path that was added before, by the later of the two lines; a default has
  // none.
  void Check(TomlReader& root) const {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (places_[i].path != places_[j].path) continue;
        const bool is_later = places_[i].line >= places_[j].line;
        const Place& here = is_later ? places_[i] : places_[j];
        const Place& other = is_later ? places_[j] : places_[i];
        root.Complain(here.line, here.key + " must not be the path of " + other.key +
                                     (other.line > 0 ? " in line " + std::to_string(other.line)
                                                     : ", which has it by default"));
      }
    }
  }

 private:
  struct Place {
    std::string key;
    std::filesystem::path path;
    int line = 0;
  };
  std::vector<Place> places_;
};

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

int ReadSpool(TomlReader& root, RecorderConfig& config) {
  auto table = root.Table("spool");
  if (!table) return 0;
  const int line = ReadPath(*table, "folder", config.spool.folder);
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
  return line;
}

int ReadFlight(TomlReader& root, FlightConfig& to) {
  auto table = root.Table("flight");
  if (!table) return 0;
  const int line = ReadPath(*table, "file", to.file);
  table->ByteSize("size", to.bytes, 64 * kKiB, kGiB);
  table->Finish();
  return line;
}

int ReadSocket(TomlReader& root, std::string_view name, std::filesystem::path& to) {
  auto table = root.Table(name);
  if (!table) return 0;
  const int line = ReadPath(*table, "socket", to);
  table->Finish();
  return line;
}

void ReadPlaces(TomlReader& root, RecorderConfig& config) {
  DistinctPaths paths;
  const int folder_line = ReadSpool(root, config);
  paths.Add("[spool] folder", config.spool.folder, folder_line);
  const int flight_line = ReadFlight(root, config.flight);
  paths.Add("[flight] file", config.flight.file, flight_line);
  const int local_line = ReadSocket(root, "local", config.local_socket);
  paths.Add("[local] socket", config.local_socket, local_line);
  const int wake_line = ReadSocket(root, "wake", config.wake_socket);
  paths.Add("[wake] socket", config.wake_socket, wake_line);
  paths.Check(root);
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
  ReadPlaces(root, config);
  root.TextMap("setup", config.setup);
  root.Finish();
  TACHO_TRY(AsStatus(complaints));
  return config;
}

}  // namespace tacho
