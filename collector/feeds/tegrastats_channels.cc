// Which channel a reading of tegrastats goes to.
#include "collector/feeds/tegrastats_channels.h"

#include <array>

#include "collector/metrics.h"

namespace tacho {
namespace {

using Kind = TegrastatsKind;

// How a reading is called: by its name, by its number behind a word, or not at all.
struct Naming {
  Kind kind;
  const MetricDef* metric;
  std::int64_t scale;  // from the printed number to the metric's decimals
  std::string_view numbered;
};

constexpr std::array kNamings{
    Naming{Kind::kRamUsed, &metrics::kMemoryUsed, 1, ""},
    Naming{Kind::kRamTotal, &metrics::kMemoryTotal, 1, ""},
    Naming{Kind::kLargestFreeBlock, &metrics::kLargestFreeBlock, 1, ""},
    Naming{Kind::kFreeBlocks, &metrics::kFreeBlocks, 1, ""},
    Naming{Kind::kSwapUsed, &metrics::kSwapUsed, 1, ""},
    Naming{Kind::kSwapTotal, &metrics::kSwapTotal, 1, ""},
    Naming{Kind::kSwapCached, &metrics::kSwapCached, 1, ""},
    Naming{Kind::kIramUsed, &metrics::kIramUsed, 1, ""},
    Naming{Kind::kIramTotal, &metrics::kIramTotal, 1, ""},
    Naming{Kind::kCoreLoad, &metrics::kCoreLoad, 1, "cpu"},
    Naming{Kind::kCoreFrequency, &metrics::kCoreFrequency, 1, "cpu"},
    Naming{Kind::kGpuLoad, &metrics::kGpuLoad, 10, ""},
    Naming{Kind::kGpuFrequency, &metrics::kGpuFrequency, 1, "gpc"},
    Naming{Kind::kEmcLoad, &metrics::kEmcLoad, 1, ""},
    Naming{Kind::kEmcFrequency, &metrics::kEmcFrequency, 1, ""},
    Naming{Kind::kEngineLoad, &metrics::kEngineLoad, 1, ""},
    Naming{Kind::kEngineFrequency, &metrics::kEngineFrequency, 1, ""},
    Naming{Kind::kOptimiserLoad, &metrics::kOptimiserLoad, 1, ""},
    Naming{Kind::kTemperature, &metrics::kZoneTemperature, 1, ""},
    Naming{Kind::kPower, &metrics::kPowerRail, 1, ""},
};

constexpr bool IsInOrder() {
  for (std::size_t i = 0; i < kNamings.size(); ++i) {
    if (static_cast<std::size_t>(kNamings[i].kind) != i) return false;
  }
  return static_cast<std::size_t>(Kind::kPower) + 1 == kNamings.size();
}
static_assert(IsInOrder(), "a row for each kind, in the order of the kinds");

std::string InstanceOf(const Naming& naming, const TegrastatsReading& reading) {
  if (!naming.numbered.empty()) return std::string(naming.numbered) + std::to_string(reading.index);
  // The first cluster's load is that of the GPU; R34 and R35 print a second one.
  if (reading.kind == Kind::kGpuLoad && reading.index > 0) {
    return "gpc" + std::to_string(reading.index);
  }
  return std::string(reading.name);
}

// tegrastats cuts the end off the names that the kernel gives its zones.
bool IsZoneTaken(const IsTaken& is_taken, const std::string& zone) {
  for (const char* end : {"", "-thermal", "-therm", "_tegra", "_battery", "-fan-est", "_1"}) {
    if (is_taken(metrics::kZoneTemperature.name, zone + end)) return true;
  }
  return false;
}

}  // namespace

std::optional<TegrastatsChannel> TegrastatsChannels::Of(const TegrastatsReading& reading) {
  const Entry* entry = Find(reading);
  if (entry == nullptr) {
    if (entries_.size() == kMaxChannels) {
      ++dropped_;
      return std::nullopt;
    }
    entry = &entries_.emplace_back(Name(reading));
  }
  return entry->channel;
}

const TegrastatsChannels::Entry* TegrastatsChannels::Find(const TegrastatsReading& reading) {
  for (std::size_t tried = 0; tried < entries_.size(); ++tried) {
    if (next_ >= entries_.size()) next_ = 0;
    const Entry& entry = entries_[next_++];
    if (entry.kind == reading.kind && entry.index == reading.index && entry.name == reading.name) {
      return &entry;
    }
  }
  return nullptr;
}

TegrastatsChannels::Entry TegrastatsChannels::Name(const TegrastatsReading& reading) {
  const Naming& naming = kNamings[static_cast<std::size_t>(reading.kind)];
  const std::string instance = InstanceOf(naming, reading);
  const bool is_taken = reading.kind == Kind::kTemperature
                            ? IsZoneTaken(is_taken_, instance)
                            : is_taken_(naming.metric->name, instance);
  Entry entry{.kind = reading.kind,
              .index = reading.index,
              .name = std::string(reading.name),
              .channel = std::nullopt};
  if (!is_taken) {
    entry.channel = TegrastatsChannel{book_.Add(*naming.metric, instance), naming.scale};
  }
  return entry;
}

}  // namespace tacho
