// What a recorder leaves for the next one: which run was open, and whether it stopped cleanly.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/status.h"
#include "daemon/recorder/runs.h"

namespace tacho {

struct LeftBehind {
  BootId boot;
  OpenRun run;
  BootTime written_at;
  bool ended_clean = false;
  bool operator==(const LeftBehind&) const = default;
};

std::string FormatLeftBehind(const LeftBehind& left);
Result<LeftBehind> ParseLeftBehind(std::string_view text);

// Loop thread. A small file, replaced as a whole so that no reader sees half of it. It is not
// synced: after a power cut the boot is another one, and what it says of runs does not matter.
class RunFile {
 public:
  // The first of `places` that can be written is taken: the spool's folder, else memory of /run.
  explicit RunFile(std::vector<std::filesystem::path> places) : places_(std::move(places)) {}

  Status Save(const LeftBehind& left) const;
  // Of the places, the one with the latest word. kNotFound where no recorder left anything.
  Result<LeftBehind> Load() const;

 private:
  const std::vector<std::filesystem::path> places_;
};

}  // namespace tacho
