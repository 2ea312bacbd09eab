// The files that say what a robot is and how it is set up.
#include "collector/parse/setup_files.h"

#include "collector/parse/numbers.h"
#include "collector/parse/words.h"

namespace tacho {
namespace {

// nvpmodel counts its modes from 0; no board has as many as this.
constexpr std::int64_t kLargestMode = 9999;

// The text behind `key` in the first word that starts with it.
std::optional<std::string_view> Behind(std::string_view key, std::string_view line) {
  for (Words words(line); !words.at_end(); words.Next()) {
    std::string_view word = words.word();
    if (TakeStart(word, key)) return word;
  }
  return std::nullopt;
}

}  // namespace

std::string_view FirstLine(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  text = text.substr(0, text.find('\n'));
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::optional<std::string> L4tRelease(std::string_view nv_tegra_release) {
  std::string line(FirstLine(nv_tegra_release));
  line += '\n';
  Words words(line);
  if (words.word() == "#") words.Next();
  std::string_view major = words.word();
  if (!TakeStart(major, "R") || !WholeNumber(major)) return std::nullopt;
  while (!words.at_end() && words.word() != "REVISION:") {
    words.Next();
  }
  std::string_view revision = words.Ahead();
  TakeEnd(revision, ",");
  if (revision.empty()) return std::nullopt;
  return "R" + std::string(major) + "." + std::string(revision);
}

std::optional<PowerModeStatus> ParsePowerModeStatus(std::string_view status) {
  std::string line(FirstLine(status));
  line += '\n';
  const auto mode = Behind("pmode:", line);
  const auto id = mode ? WholeNumber(*mode) : std::nullopt;
  if (!id || *id < 0 || *id > kLargestMode) return std::nullopt;
  return PowerModeStatus{.id = static_cast<int>(*id),
                         .fan_mode = std::string(Behind("fmode:", line).value_or(""))};
}

std::optional<std::string> PowerModeName(std::string_view conf, int id) {
  while (!conf.empty()) {
    std::string line(TakeUntil(conf, '\n'));
    line += '\n';
    if (line.find("POWER_MODEL ") == std::string::npos) continue;
    const auto found = Behind("ID=", line);
    if (!found || WholeNumber(*found) != id) continue;
    std::string_view name = Behind("NAME=", line).value_or("");
    TakeEnd(name, ">");
    if (!name.empty()) return std::string(name);
  }
  return std::nullopt;
}

}  // namespace tacho
