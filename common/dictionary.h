// The meaning of numbers, sent along with them: channels, groups and the robot's setup.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/metric.h"
#include "common/status.h"
#include "common/time.h"

namespace tacho {

struct ChannelDef {
  ChannelId id{};
  GroupId group{};
  std::string metric;    // "power_rail"
  std::string instance;  // "VDD_GPU_SOC"; empty where there is only one
  Unit unit{};
  int decimals = 0;
  Shape shape{};
  std::string help;
  bool operator==(const ChannelDef&) const = default;
};

struct GroupDef {
  GroupId id{};
  std::string name;  // "board", "tegrastats"
  Nanos period{};    // the intended distance of two sweeps: coverage is measured against it
  bool operator==(const GroupDef&) const = default;
};

struct Dictionary {
  std::vector<GroupDef> groups;
  std::vector<ChannelDef> channels;  // ids are dense: channels[i].id == ChannelId{i}
  // What makes two runs comparable: "model", "power_mode", "kernel", "agent" and what the owner
  // adds. Sorted by key.
  std::vector<std::pair<std::string, std::string>> setup;
  bool operator==(const Dictionary&) const = default;
};

struct DictionaryLimits {
  std::size_t channels = 4096;
  std::size_t groups = 64;
  std::size_t setup = 256;
  std::size_t text = 256;  // bytes of any one string
};

// docs/formats/records.md, "dictionary". The same dictionary always gives the same bytes.
std::vector<std::byte> Encode(const Dictionary& dictionary);
Result<Dictionary> DecodeDictionary(std::span<const std::byte> bytes,
                                    const DictionaryLimits& limits = {});
// XXH3-64 of the encoded bytes.
DictionaryHash HashOf(std::span<const std::byte> encoded);

}  // namespace tacho
