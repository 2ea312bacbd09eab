// /proc/stat: how long each core was busy and idle since boot.
#include "collector/parse/proc_stat.h"

#include "collector/parse/numbers.h"
#include "collector/parse/words.h"

namespace tacho {
namespace {

// user nice system idle iowait irq softirq steal. What follows, the time of guests, is part of user
// already.
constexpr std::size_t kColumns = 8;
constexpr std::size_t kIdle = 3;
constexpr std::size_t kIoWait = 4;

}  // namespace

std::optional<CpuTicks> TakeCpuTicks(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return std::nullopt;
  Words words(text.substr(0, newline + 1));
  std::string_view name = words.word();
  if (!TakeStart(name, "cpu")) return std::nullopt;
  const auto core =
      name.empty() ? std::optional<std::int64_t>(CpuTicks::kAllCores) : WholeNumber(name);
  if (!core || *core < CpuTicks::kAllCores || *core > 65535) return std::nullopt;

  CpuTicks ticks{.core = static_cast<int>(*core)};
  for (std::size_t column = 0; column < kColumns; ++column) {
    words.Next();
    if (words.at_end() && column > kIdle) break;  // very old kernels end here
    const auto value = WholeNumber(words.word());
    if (!value) return std::nullopt;
    ticks.total += *value;
    if (column != kIdle && column != kIoWait) ticks.busy += *value;
  }
  text.remove_prefix(newline + 1);
  return ticks;
}

}  // namespace tacho
