// Any bytes as the files of a board: /proc, sysfs and what says how the board is set up.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collector/attribute.h"
#include "collector/parse/proc_keys.h"
#include "collector/parse/proc_stat.h"
#include "collector/parse/proc_statm.h"
#include "collector/parse/setup_files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::string_view rest = text;;) {
    const std::size_t before = rest.size();
    const auto ticks = tacho::TakeCpuTicks(rest);
    if (!ticks) break;
    if (rest.size() >= before || ticks->core < tacho::CpuTicks::kAllCores) std::abort();
  }
  for (const std::string_view key : {"MemTotal", "Cached", "SwapFree"}) {
    tacho::ValueOfKey(text, key);
  }
  tacho::ResidentPages(text);
  tacho::L4tRelease(text);
  tacho::PowerModeName(text, 2);
  if (const auto mode = tacho::ParsePowerModeStatus(text); mode && mode->id < 0) std::abort();
  const tacho::AttributeReading reading = tacho::ParseAttribute(text);
  if (!reading.is_present() && reading.value != 0) std::abort();
  return 0;
}
