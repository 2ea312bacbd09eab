// The files that say what a robot is and how it is set up.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacho {

// "# R36 (release), REVISION: 4.3, GCID: ..." -> "R36.4.3".
std::optional<std::string> L4tRelease(std::string_view nv_tegra_release);

// /var/lib/nvpmodel/status, "pmode:0002 fmode:quiet".
struct PowerModeStatus {
  int id = 0;
  std::string fan_mode;  // empty where there is none
};
std::optional<PowerModeStatus> ParsePowerModeStatus(std::string_view status);

// The NAME of "< POWER_MODEL ID=2 NAME=MODE_30W >" in nvpmodel.conf.
std::optional<std::string> PowerModeName(std::string_view conf, int id);

// Text of a file as one line: up to the first NUL or newline, without white space at its ends.
std::string_view FirstLine(std::string_view text);

}  // namespace tacho
