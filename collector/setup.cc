// What makes runs of a robot comparable.
#include "collector/setup.h"

#include <algorithm>
#include <cstddef>

#include "collector/kernel_file.h"
#include "collector/parse/setup_files.h"

namespace tacho {
namespace {

using Setup = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t kConfBytes = 262144;  // the longest nvpmodel.conf known has 60 kB

void Add(Setup& setup, const char* key, std::string value) {
  if (!value.empty()) setup.emplace_back(key, std::move(value));
}

std::string Model(const SystemRoot& root) {
  std::string model = ReadLine(root.Of("proc/device-tree/model"));
  return model.empty() ? ReadLine(root.Of("sys/devices/virtual/dmi/id/product_name")) : model;
}

void AddPowerMode(Setup& setup, const SystemRoot& root) {
  const auto status = ParsePowerModeStatus(ReadLine(root.Of("var/lib/nvpmodel/status")));
  if (!status) return;
  const std::string id = std::to_string(status->id);
  const auto name = PowerModeName(ReadAll(root.Of("etc/nvpmodel.conf"), kConfBytes), status->id);
  Add(setup, "power_mode", name.value_or(id));
  Add(setup, "power_mode_id", id);
  Add(setup, "fan_mode", status->fan_mode);
}

}  // namespace

Setup ReadSetup(const SystemRoot& root) {
  Setup setup;
  Add(setup, "model", Model(root));
  Add(setup, "kernel", ReadLine(root.Of("proc/sys/kernel/osrelease")));
  Add(setup, "l4t", L4tRelease(ReadLine(root.Of("etc/nv_tegra_release"))).value_or(""));
  AddPowerMode(setup, root);
  std::ranges::sort(setup);
  return setup;
}

}  // namespace tacho
