// What is measured: metrics, channels, and the reasons why there is no value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tacho {

// Always the base unit; scale is in the decimals of the metric.
enum class Unit : std::uint8_t {
  kNone = 0,
  kCelsius = 1,
  kWatts = 2,
  kHertz = 3,
  kBytes = 4,
  kRatio = 5,  // 0..1
  kSeconds = 6,
  kCount = 7,
  kVolts = 8,
  kAmperes = 9,
  kJoules = 10,
};

// A gauge is a level; a counter only grows until it is reset.
enum class Shape : std::uint8_t { kGauge = 0, kCounter = 1 };

struct MetricDef {
  std::string_view name;  // "thermal_zone_temperature": lower case and underscores, no unit in it
  Unit unit;
  int decimals;  // values are integers in 10^-decimals of the unit: 48.25 C is 48250 at 3
  Shape shape;
  std::string_view help;  // one sentence
};

// Why there is no value. None of these is zero.
enum class Why : std::uint8_t {
  kPresent = 0,     // there is a value
  kGated = 1,       // the block behind the sensor is powered off
  kDisabled = 2,    // switched off by configuration or driver
  kBroken = 3,      // the read failed
  kForbidden = 4,   // no permission
  kUnparsable = 5,  // bytes came, but no number
  kMissing = 6,     // nobody asked in this row: another cadence, a parked source, a lost reading
};

// Numbers a channel within one dictionary.
enum class ChannelId : std::uint32_t {};
// Channels read in the same sweep share a group, and with it one column of times.
enum class GroupId : std::uint16_t {};

constexpr std::uint32_t Number(ChannelId id) {
  return static_cast<std::uint32_t>(id);
}
constexpr std::uint16_t Number(GroupId id) {
  return static_cast<std::uint16_t>(id);
}

// "W" for kWatts; empty for kNone and kCount. And back; unknown text gives false.
std::string_view SymbolOf(Unit unit);
bool ParseUnit(std::string_view symbol, Unit& unit);
std::string_view NameOf(Why why);

}  // namespace tacho
