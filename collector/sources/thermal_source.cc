// Temperatures of /sys/class/thermal/thermal_zone*.
#include <array>
#include <string>
#include <vector>

#include "collector/attribute.h"
#include "collector/instance_names.h"
#include "collector/metrics.h"
#include "collector/numbered_folders.h"
#include "collector/source.h"

namespace tacho {
namespace {

constexpr std::array kMetrics{metrics::kZoneTemperature};

// Drivers before R36 give this for a zone whose block is powered off.
constexpr std::int64_t kOffZone = -256'000;

struct Zone {
  ChannelId channel;
  Attribute millicelsius;
};

class ThermalSource final : public Source {
 public:
  explicit ThermalSource(std::vector<Zone> zones) : zones_(std::move(zones)) {}

  Status Sample(Sink& sink) override {
    for (const Zone& zone : zones_) {
      AttributeReading reading = zone.millicelsius.Read();
      if (reading.is_present() && reading.value == kOffZone) reading = {.why = Why::kGated};
      Deliver(zone.channel, reading, sink);
    }
    return {};
  }

 private:
  std::vector<Zone> zones_;
};

Result<std::unique_ptr<Source>> Open(const SystemRoot& root, ChannelBook& book) {
  std::vector<Zone> zones;
  InstanceNames names;
  for (const auto& [number, folder] :
       NumberedFolders(root.Of("sys/class/thermal"), "thermal_zone")) {
    // The kernel numbers zones anew at every boot; their type is the name that stays.
    const std::string type = ReadLine(folder / "type");
    // PMIC-Die is a constant of the driver, no measurement.
    if (type.empty() || type == "PMIC-Die") continue;
    auto attribute = Attribute::Open(folder / "temp");
    if (!attribute) continue;
    zones.push_back(
        {book.Add(metrics::kZoneTemperature, names.Unique(type)), *std::move(attribute)});
  }
  if (zones.empty()) return Status(Code::kNotFound, "this board has no thermal zones");
  return std::unique_ptr<Source>(std::make_unique<ThermalSource>(std::move(zones)));
}

}  // namespace

extern constinit const SourceKind kThermalSource{"thermal", kMetrics, &Open};

}  // namespace tacho
