// Any bytes as the output of tegrastats: lines, then readings that keep what the parser promises.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collector/parse/line_splitter.h"
#include "collector/parse/tegrastats.h"

namespace {

void Require(bool is_true) {
  if (!is_true) std::abort();
}

bool IsInside(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

void CheckLine(std::string_view text, const tacho::TegrastatsLine& line) {
  using enum tacho::TegrastatsKind;
  Require(line.readings.size() <= tacho::TegrastatsLine::kMaxReadings);
  Require(line.is_sample || line.readings.empty());
  Require(line.rails_at_mean <= line.rails);
  Require(line.stamp.empty() || IsInside(line.stamp, text));
  for (const tacho::TegrastatsReading& reading : line.readings) {
    Require(reading.why == tacho::Why::kPresent || reading.value == 0 || reading.kind == kEmcLoad);
    Require(reading.index >= 0 && reading.index < 4096);
    // The optimiser's names are our own words.
    Require(reading.name.empty() || reading.kind == kOptimiserLoad || IsInside(reading.name, text));
    const bool may_be_negative = reading.kind == kPower || reading.kind == kTemperature;
    Require(reading.value >= 0 || may_be_negative);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static tacho::TegrastatsLine line;
  tacho::LineSplitter lines;
  tacho::TegrastatsRestarts restarts;
  const auto on_line = [&](std::string_view text) {
    tacho::ParseTegrastats(text, line);
    CheckLine(text, line);
    restarts.IsRestart(line);
  };
  lines.Push({reinterpret_cast<const char*>(data), size}, on_line);
  lines.End(on_line);
  return 0;
}
