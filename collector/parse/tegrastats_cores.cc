// The CPU token of a tegrastats line.
#include "collector/parse/tegrastats_cores.h"

#include <algorithm>

#include "collector/parse/numbers.h"

namespace tacho {
namespace {

using enum TegrastatsKind;

void ReadCore(int index, std::string_view text, TegrastatsReadings& readings) {
  if (text == "off") {
    readings.Add({.kind = kCoreLoad, .index = index, .why = Why::kGated});
    return;
  }
  std::string_view clock = text;
  const bool has_clock = text.find('@') != std::string_view::npos;
  const auto load = PercentOf(TakeUntil(clock, '@'));
  const auto megahertz = NaturalCount(clock);
  if (!load || (has_clock && !megahertz)) readings.CountBad();
  if (load) readings.Add({.kind = kCoreLoad, .index = index, .value = *load});
  if (megahertz) readings.AddClock(kCoreFrequency, "", index, *megahertz);
}

// The clock behind the list, "@204", is that of every core that is on.
void ReadSharedClock(std::size_t first, std::string_view text, TegrastatsReadings& readings) {
  if (text.empty() || text == "@-1") return;  // a TK1 prints -1 to those who may not see it
  const auto megahertz = TakeStart(text, "@") ? NaturalCount(text) : std::nullopt;
  if (!megahertz) return readings.CountBad();
  const std::size_t end = readings.line().readings.size();
  for (std::size_t i = first; i < end; ++i) {
    const TegrastatsReading core = readings.line().readings[i];
    if (core.kind == kCoreLoad && core.why == Why::kPresent) {
      readings.AddClock(kCoreFrequency, "", core.index, *megahertz);
    }
  }
}

// Where clocks are shown, a core that is off has none; it is not that nobody asked.
void AddClocksOfCoresOff(std::size_t first, TegrastatsReadings& readings) {
  const auto& all = readings.line().readings;
  const std::size_t end = all.size();
  const bool has_clocks =
      std::any_of(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
                  [](const TegrastatsReading& reading) { return reading.kind == kCoreFrequency; });
  for (std::size_t i = first; has_clocks && i < end; ++i) {
    const TegrastatsReading core = all[i];
    if (core.kind == kCoreLoad && core.why == Why::kGated) {
      readings.Add({.kind = kCoreFrequency, .index = core.index, .why = Why::kGated});
    }
  }
}

}  // namespace

void ReadCores(Words& words, TegrastatsReadings& readings) {
  const TegrastatsLine before{.bad_fields = readings.line().bad_fields,
                              .ignored = readings.line().ignored};
  const std::size_t first = readings.line().readings.size();
  std::string_view part = words.word().substr(1);
  for (int core = 0;;) {
    const std::size_t bracket = part.find(']');
    for (std::string_view list = part.substr(0, bracket); !list.empty();) {
      ReadCore(core++, TakeUntil(list, ','), readings);
    }
    words.Next();
    if (bracket != std::string_view::npos) {
      ReadSharedClock(first, part.substr(bracket + 1), readings);
      return AddClocksOfCoresOff(first, readings);
    }
    if (!part.ends_with(",") || words.at_end()) break;
    part = words.word();
  }
  readings.line().readings.resize(first);
  readings.line().bad_fields = before.bad_fields + 1;
  readings.line().ignored = before.ignored;
}

}  // namespace tacho
