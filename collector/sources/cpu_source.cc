// How busy the cores are, together and each, and the clock that each was given.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "collector/attribute.h"
#include "collector/metrics.h"
#include "collector/numbered_folders.h"
#include "collector/parse/proc_stat.h"
#include "collector/source.h"

namespace tacho {
namespace {

constexpr std::array kMetrics{metrics::kCpuLoad, metrics::kCoreLoad, metrics::kCoreFrequency};

// The lines of 200 cores; what follows them in /proc/stat is not needed.
constexpr std::size_t kStatBytes = 16384;

// The load between two readings of one line of /proc/stat.
class LoadMeter {
 public:
  LoadMeter(ChannelId channel, std::int64_t scale) : channel_(channel), scale_(scale) {}

  // The first reading has no load yet. Counters that ran back (a core was off meanwhile) and
  // readings of one tick have none either.
  void Add(CpuTicks now, Sink& sink) {
    const std::int64_t total = now.total - (last_ ? last_->total : now.total);
    const std::int64_t busy = now.busy - (last_ ? last_->busy : now.busy);
    last_ = now;
    if (total <= 0 || busy < 0 || busy > total) return sink.Absent(channel_, Why::kMissing);
    sink.Put(channel_, (busy * scale_ + total / 2) / total);
  }

  void Absent(Why why, Sink& sink) {
    last_.reset();
    sink.Absent(channel_, why);
  }

 private:
  ChannelId channel_;
  std::int64_t scale_;  // of a load of 1
  std::optional<CpuTicks> last_;
};

// A clock whose file dies when its core is switched off, and is there again when it comes back.
struct Frequency {
  ChannelId channel;
  Attribute kilohertz;
  std::string path;
};

struct Core {
  int number;
  LoadMeter load;
  std::optional<Frequency> frequency;
  bool is_on = true;
};

void ReadFrequency(Core& core, bool was_on, Sink& sink) {
  if (!core.frequency) return;
  if (!core.is_on) return sink.Absent(core.frequency->channel, Why::kGated);
  if (!was_on) core.frequency->kilohertz.Reopen(core.frequency->path.c_str());
  AttributeReading reading = core.frequency->kilohertz.Read();
  reading.value *= 1000;
  Deliver(core.frequency->channel, reading, sink);
}

class CpuSource final : public Source {
 public:
  CpuSource(KernelFile stat, LoadMeter all, std::vector<Core> cores)
      : stat_(std::move(stat)), all_(all), cores_(std::move(cores)) {}

  Status Sample(Sink& sink) override {
    const FileText stat = stat_.Read(buffer_);
    std::string_view lines = stat.text;
    auto ticks = TakeCpuTicks(lines);
    if (!ticks) {
      AllAbsent(stat.why == Why::kPresent ? Why::kUnparsable : stat.why, sink);
      return Status(Code::kUnavailable, "read /proc/stat: it does not start with a cpu line");
    }
    all_.Add(*ticks, sink);
    ticks = TakeCpuTicks(lines);
    for (Core& core : cores_) {
      while (ticks && ticks->core < core.number) {
        ticks = TakeCpuTicks(lines);  // a core that was not there at start
      }
      // Cores that are off have no line.
      const bool was_on = core.is_on;
      core.is_on = ticks && ticks->core == core.number;
      core.is_on ? core.load.Add(*ticks, sink) : core.load.Absent(Why::kGated, sink);
      ReadFrequency(core, was_on, sink);
    }
    return {};
  }

 private:
  void AllAbsent(Why why, Sink& sink) {
    all_.Absent(why, sink);
    for (Core& core : cores_) {
      core.load.Absent(why, sink);
      ReadFrequency(core, core.is_on, sink);
    }
  }

  KernelFile stat_;
  LoadMeter all_;
  std::vector<Core> cores_;  // by number
  std::array<char, kStatBytes> buffer_;
};

// The clock that was asked for. Reading the real one, cpuinfo_cur_freq, makes some kernels write a
// line into the log each time, so it stands in only where there is no other.
std::optional<Frequency> OpenFrequency(const std::filesystem::path& cpu, const std::string& name,
                                       ChannelBook& book) {
  for (const char* file : {"scaling_cur_freq", "cpuinfo_cur_freq"}) {
    const auto path = cpu / "cpufreq" / file;
    if (auto attribute = Attribute::Open(path)) {
      return Frequency{book.Add(metrics::kCoreFrequency, name), *std::move(attribute),
                       path.string()};
    }
  }
  return std::nullopt;
}

constexpr std::int64_t OneOf(const MetricDef& metric) {
  std::int64_t one = 1;
  for (int i = 0; i < metric.decimals; ++i) {
    one *= 10;
  }
  return one;
}

Result<std::unique_ptr<Source>> Open(const SystemRoot& root, ChannelBook& book) {
  auto stat = KernelFile::Open(root.Of("proc/stat"));
  if (!stat) return Status(Code::kNotFound, "there is no /proc/stat");
  const LoadMeter all(book.Add(metrics::kCpuLoad, ""), OneOf(metrics::kCpuLoad));
  std::vector<Core> cores;
  for (const auto& [number, folder] : NumberedFolders(root.Of("sys/devices/system/cpu"), "cpu")) {
    const std::string name = "cpu" + std::to_string(number);
    const LoadMeter load(book.Add(metrics::kCoreLoad, name), OneOf(metrics::kCoreLoad));
    cores.push_back({number, load, OpenFrequency(folder, name, book)});
  }
  return std::unique_ptr<Source>(
      std::make_unique<CpuSource>(*std::move(stat), all, std::move(cores)));
}

}  // namespace

extern constinit const SourceKind kCpuSource{"cpu", kMetrics, &Open};

}  // namespace tacho
