// Folders of sysfs that the kernel numbers.
#include "collector/numbered_folders.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "collector/parse/numbers.h"

namespace tacho {

std::vector<NumberedFolder> NumberedFolders(const std::filesystem::path& folder,
                                            std::string_view prefix) {
  constexpr std::int64_t kLargest = 65535;
  std::vector<NumberedFolder> found;
  std::error_code ignored;  // no such folder: a board without such things
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    std::string_view digits = name;
    if (!TakeStart(digits, prefix)) continue;
    const auto number = WholeNumber(digits);
    if (!number || *number < 0 || *number > kLargest) continue;
    found.push_back({static_cast<int>(*number), entry.path()});
  }
  std::ranges::sort(found, {}, &NumberedFolder::number);
  return found;
}

}  // namespace tacho
