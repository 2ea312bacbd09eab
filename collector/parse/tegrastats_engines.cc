// The tokens of clocks and engines of a tegrastats line.
#include "collector/parse/tegrastats_engines.h"

#include <algorithm>
#include <array>

#include "collector/parse/numbers.h"

namespace tacho {
namespace {

using enum TegrastatsKind;

// Where the readings of an engine belong.
struct Engine {
  TegrastatsKind load = kEngineLoad;
  TegrastatsKind frequency = kEngineFrequency;
  std::string_view name;
  int index = 0;
};

Engine EngineOf(std::string_view name) {
  if (name == "EMC") return {.load = kEmcLoad, .frequency = kEmcFrequency, .name = ""};
  if (name == "GR3D") return {.load = kGpuLoad, .frequency = kGpuFrequency, .name = ""};
  // The second graphics cluster had a token of its own in R34 and R35.
  if (name == "GR3D2")
    return {.load = kGpuLoad, .frequency = kGpuFrequency, .name = "", .index = 1};
  return {.name = name};
}

bool IsKnown(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kEngines = {
      "GR3D", "EMC", "NVENC", "NVDEC", "NVJPG", "MSENC", "VIC", "OFA",  "NVDLA",
      "PVA",  "APE", "CVNAS", "AVP",   "VDE",   "SE",    "ISP", "TSEC", "VI"};
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') {
    name.remove_suffix(1);
  }
  return std::ranges::find(kEngines, name) != kEngines.end();
}

void AddOff(const Engine& engine, TegrastatsReadings& readings) {
  for (const TegrastatsKind kind : {engine.load, engine.frequency}) {
    readings.Add({.kind = kind, .name = engine.name, .index = engine.index, .why = Why::kGated});
  }
}

// "305", "[305,1300]": one clock, or one for each graphics cluster.
void AddClocks(const Engine& engine, std::string_view text, TegrastatsReadings& readings) {
  if (TakeStart(text, "[") && !TakeEnd(text, "]")) return readings.CountBad();
  int index = engine.index;
  do {
    const auto megahertz = NaturalCount(TakeUntil(text, ','));
    if (megahertz) {
      readings.AddClock(engine.frequency, engine.name, index, *megahertz);
    } else {
      readings.CountBad();
    }
    ++index;
  } while (!text.empty());
}

void AddLoad(const Engine& engine, std::int64_t load, bool has_clock,
             TegrastatsReadings& readings) {
  TegrastatsReading reading{
      .kind = engine.load, .name = engine.name, .index = engine.index, .value = load};
  // Up to R35, whoever is not root is shown "EMC_FREQ 0%", whatever the memory does.
  if (engine.load == kEmcLoad && load == 0 && !has_clock) reading.why = Why::kForbidden;
  readings.Add(reading);
}

// "2%@1600", "22%", "@[314,314,314]". False if `text` is none of them.
bool AddLoadAndClocks(const Engine& engine, std::string_view text, TegrastatsReadings& readings) {
  std::string_view clocks = text;
  const bool has_clock = text.find('@') != std::string_view::npos;
  const std::string_view load_text = TakeUntil(clocks, '@');
  const auto load = PercentOf(load_text);
  if (!load && (!load_text.empty() || clocks.empty())) return false;
  if (load) {
    AddLoad(engine, *load, has_clock, readings);
  } else if (engine.load == kGpuLoad) {
    // A clock is no load: Thor's tegrastats of R38 does not say how busy the GPU is.
    readings.Add({.kind = kGpuLoad, .index = engine.index, .why = Why::kMissing});
  }
  if (has_clock) AddClocks(engine, clocks, readings);
  return true;
}

}  // namespace

bool ReadEngine(Words& words, bool is_sample_like, TegrastatsReadings& readings) {
  std::string_view name = words.word();
  const std::string_view value = words.Ahead();
  if (!IsTegrastatsName(name)) return false;
  TakeEnd(name, "_FREQ");
  const bool is_known = IsKnown(name);
  if (!is_known && !is_sample_like) return false;

  const Engine engine = EngineOf(name);
  const auto bare = NaturalCount(value);
  if (value == "off") {
    AddOff(engine, readings);
  } else if (bare && is_known) {
    readings.AddClock(engine.frequency, engine.name, engine.index, *bare);
  } else if (bare || !AddLoadAndClocks(engine, value, readings)) {
    if (!is_known || !IsValueLike(value)) return false;
    readings.CountBad();
  }
  words.Next();
  words.Next();
  return true;
}

}  // namespace tacho
