// Folders of sysfs that the kernel numbers: hwmon3, thermal_zone0, cpu11.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tacho {

struct NumberedFolder {
  int number = 0;
  std::filesystem::path path;
};

// The entries of `folder` named `prefix` and a number, by number; none if there is no such folder.
std::vector<NumberedFolder> NumberedFolders(const std::filesystem::path& folder,
                                            std::string_view prefix);

}  // namespace tacho
