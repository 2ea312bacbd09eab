// Power, voltage and current of the board's rails, from the power monitors of hwmon.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "collector/attribute.h"
#include "collector/instance_names.h"
#include "collector/metrics.h"
#include "collector/numbered_folders.h"
#include "collector/source.h"

namespace tacho {
namespace {

constexpr std::array kMetrics{metrics::kPowerRail, metrics::kRailVoltage, metrics::kRailCurrent};

// Monitors have up to this many rails; what is numbered higher are sums and shunt voltages.
constexpr int kMaxRails = 8;

struct Measure {
  ChannelId channel;
  Attribute attribute;
};

// Power is the chip's own (microwatts), or volts times amperes: two reads, so not quite of one
// moment.
struct Rail {
  ChannelId power;
  std::optional<Attribute> microwatts;
  std::optional<Measure> millivolts;
  std::optional<Measure> milliamperes;
};

AttributeReading ReadInto(const std::optional<Measure>& measure, Sink& sink) {
  if (!measure) return {.why = Why::kMissing};
  const AttributeReading reading = measure->attribute.Read();
  Deliver(measure->channel, reading, sink);
  return reading;
}

// Milliwatts, as tegrastats cuts them. What is absent says why for both.
AttributeReading Product(AttributeReading millivolts, AttributeReading milliamperes) {
  if (!millivolts.is_present()) return millivolts;
  if (!milliamperes.is_present()) return milliamperes;
  std::int64_t microwatts = 0;
  if (__builtin_mul_overflow(millivolts.value, milliamperes.value, &microwatts)) {
    return {.why = Why::kUnparsable};
  }
  return {.value = microwatts / 1000};
}

class PowerRailsSource final : public Source {
 public:
  explicit PowerRailsSource(std::vector<Rail> rails) : rails_(std::move(rails)) {}

  Status Sample(Sink& sink) override {
    for (const Rail& rail : rails_) {
      const AttributeReading millivolts = ReadInto(rail.millivolts, sink);
      const AttributeReading milliamperes = ReadInto(rail.milliamperes, sink);
      AttributeReading power = Product(millivolts, milliamperes);
      if (rail.microwatts) {
        power = rail.microwatts->Read();
        power.value /= 1000;
      }
      Deliver(rail.power, power, sink);
    }
    return {};
  }

 private:
  std::vector<Rail> rails_;
};

// A folder of hwmon whose place on the bus orders it: hwmon numbers change between boots.
struct Chip {
  std::string name;
  std::string place;  // "1-0040"
  std::filesystem::path folder;
  bool is_monitor = false;  // made to measure power: ina219, ina226, ina238, ina3221
};

std::vector<Chip> FindChips(const SystemRoot& root) {
  std::vector<Chip> chips;
  for (const auto& [number, folder] : NumberedFolders(root.Of("sys/class/hwmon"), "hwmon")) {
    const std::string name = ReadLine(folder / "name");
    // USB-C ports report the contract they negotiated, which nothing measures.
    if (name.empty() || name.starts_with("ucsi_")) continue;
    std::error_code ignored;  // no link to a device: a virtual chip
    const auto place = std::filesystem::canonical(folder / "device", ignored).filename().string();
    chips.push_back({name, place, folder, name.starts_with("ina")});
  }
  std::ranges::sort(chips, {}, [](const Chip& chip) { return std::tie(chip.name, chip.place); });
  return chips;
}

// The label on the rail's voltage or power; else a name that the chip's kind gives.
std::string LabelOf(const Chip& chip, const std::string& rail) {
  for (const std::string& file : {"in" + rail + "_label", "power" + rail + "_label"}) {
    if (std::string label = ReadLine(chip.folder / file); !label.empty()) return label;
  }
  // The one INA238 known is that of Thor's input, which tegrastats prints as VIN.
  if (chip.name == "ina238") return "VIN";
  return chip.name == "ina3221" ? "channel" + rail : chip.name;
}

std::optional<Attribute> OpenPower(const Chip& chip, const std::string& rail) {
  auto power = Attribute::Open(chip.folder / ("power" + rail + "_input"));
  return power ? std::move(power) : Attribute::Open(chip.folder / ("power" + rail + "_average"));
}

// Adds rail `number` of the chip, if it measures power there.
void AddRail(const Chip& chip, int number, InstanceNames& names, ChannelBook& book,
             std::vector<Rail>& rails) {
  const std::string rail = std::to_string(number);
  auto microwatts = OpenPower(chip, rail);
  auto millivolts = Attribute::Open(chip.folder / ("in" + rail + "_input"));
  auto milliamperes = Attribute::Open(chip.folder / ("curr" + rail + "_input"));
  const bool is_named =
      chip.is_monitor || std::filesystem::exists(chip.folder / ("in" + rail + "_label"));
  const bool has_product = millivolts && milliamperes && is_named;
  const std::string label = LabelOf(chip, rail);
  if ((!microwatts && !has_product) || label == "NC") return;  // NC: not connected

  const std::string instance = names.Unique(label);
  Rail added{.power = book.Add(metrics::kPowerRail, instance),
             .microwatts = std::move(microwatts),
             .millivolts = std::nullopt,
             .milliamperes = std::nullopt};
  if (millivolts) {
    added.millivolts.emplace(
        Measure{book.Add(metrics::kRailVoltage, instance), *std::move(millivolts)});
  }
  if (milliamperes) {
    added.milliamperes.emplace(
        Measure{book.Add(metrics::kRailCurrent, instance), *std::move(milliamperes)});
  }
  rails.push_back(std::move(added));
}

// An INA3221 has three rails; its inputs 4 to 6 are the shunts, in another unit.
int RailsOf(const Chip& chip) {
  return chip.name.starts_with("ina3221") ? 3 : kMaxRails;
}

Result<std::unique_ptr<Source>> Open(const SystemRoot& root, ChannelBook& book) {
  std::vector<Rail> rails;
  InstanceNames names;
  for (const Chip& chip : FindChips(root)) {
    for (int number = 1; number <= RailsOf(chip); ++number) {
      AddRail(chip, number, names, book, rails);
    }
  }
  if (rails.empty()) return Status(Code::kNotFound, "this board has no power monitor");
  return std::unique_ptr<Source>(std::make_unique<PowerRailsSource>(std::move(rails)));
}

}  // namespace

extern constinit const SourceKind kPowerRailsSource{"power_rails", kMetrics, &Open};

}  // namespace tacho
