// Which runs a command asks for: --robot, --name and --limit, beside the window of when.h.
#pragma once

#include <array>

#include "cli/arguments.h"
#include "common/json.h"

namespace tacho {

inline constexpr OptionDef kRunRobotOption = {
    .name = "robot", .placeholder = "GLOB", .help = "only runs of these robots: 'rb1*'"};
inline constexpr OptionDef kRunNameOption = {
    .name = "name", .placeholder = "GLOB", .help = "only runs of this name: 'mission*'"};
inline constexpr OptionDef kRunLimitOption = {
    .name = "limit", .placeholder = "N", .help = "at most so many, the newest (100)"};
inline constexpr std::array<const char*, 2> kRunFilters = {"robot", "name"};

// Sets robot and name where they were given.
inline void AddRunFilter(const CommandArguments& arguments, Json& question) {
  for (const char* filter : kRunFilters) {
    if (arguments.Has(filter)) question.Set(filter, arguments.Text(filter));
  }
}

}  // namespace tacho
