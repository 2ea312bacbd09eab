// What makes runs of a robot comparable: what it is and how it is set up.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "collector/source.h"

namespace tacho {

// Sorted by key; a key is missing where the board does not say:
//   fan_mode       "quiet"                   /var/lib/nvpmodel/status
//   kernel         "5.15.148-tegra"          /proc/sys/kernel/osrelease
//   l4t            "R36.4.3"                 /etc/nv_tegra_release
//   model          "Jetson AGX Orin ..."     the device tree, else the BIOS
//   power_mode     "MODE_30W"; its id ("2") where /etc/nvpmodel.conf does not name it
//   power_mode_id  "2": the modes of boards differ under one id
std::vector<std::pair<std::string, std::string>> ReadSetup(const SystemRoot& root);

}  // namespace tacho
