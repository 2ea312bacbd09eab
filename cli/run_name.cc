// How a run is named: "rb12/118/4", or "rb12@latest".
#include "cli/run_name.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

namespace tacho {
namespace {

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A boot is its counter, or the first digits of its boot_id where no disk could be written.
bool IsBoot(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

bool IsRunName(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    const std::string_view which = text.substr(at + 1);
    return at > 0 && (which == "latest" || which == "idle");
  }
  const std::size_t number = text.rfind('/');
  if (number == std::string_view::npos || number == 0) return false;
  const std::size_t boot = text.rfind('/', number - 1);
  return boot != std::string_view::npos && boot > 0 &&
         IsBoot(text.substr(boot + 1, number - boot - 1)) && IsNumber(text.substr(number + 1));
}

}  // namespace

Result<std::string> ParseRunName(std::string_view text) {
  if (IsRunName(text)) return std::string(text);
  const bool is_robot = text.find_first_of("/@") == std::string_view::npos;
  return Status(Code::kInvalid,
                fmt::format("'{}' names no run: write robot/boot/number, like rb12/118/4, or {}.",
                            text, is_robot ? fmt::format("{}@latest", text) : "rb12@latest"));
}

}  // namespace tacho
