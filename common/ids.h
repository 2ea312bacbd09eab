// Who a record is: robot, boot, epoch, stream and sequence number (docs/formats/records.md).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tacho {

// The kernel's boot_id: one life of one kernel.
struct BootId {
  std::array<std::uint8_t, 16> bytes{};
  auto operator<=>(const BootId&) const = default;

  // "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9", as /proc/sys/kernel/random/boot_id prints it.
  std::string ToString() const;
  // Accepts that form, with or without dashes and a final newline.
  static std::optional<BootId> Parse(std::string_view text);
};

// Random; redrawn whenever the writer cannot prove its last Seq, so that no Seq is used twice.
enum class Epoch : std::uint64_t {};
// Position of a record in its stream; the first is 1.
enum class Seq : std::uint64_t {};
constexpr std::uint64_t Number(Seq seq) {
  return static_cast<std::uint64_t>(seq);
}
constexpr std::uint64_t Number(Epoch epoch) {
  return static_cast<std::uint64_t>(epoch);
}
constexpr Seq operator+(Seq seq, std::uint64_t n) {
  return Seq{Number(seq) + n};
}
constexpr std::uint64_t operator-(Seq a, Seq b) {
  return Number(a) - Number(b);
}

// A stream is one tier of one boot and epoch; tiers are sent in this order.
enum class Tier : std::uint8_t {
  kEvents = 0,     // T0: dictionaries, boot reports, clock pairs, runs, events, gaps
  kSummaries = 1,  // T1: one-second summaries
  kMinutes = 2,    // T1m: one-minute summaries, instead of T1 when metered
  kCaptures = 3,   // T2: full-rate windows around a trigger
  kHistory = 4,    // T3: full-rate history, on request only
};
inline constexpr int kTiers = 5;

struct StreamKey {
  BootId boot;
  Epoch epoch{};
  Tier tier{};
  auto operator<=>(const StreamKey&) const = default;
};

// Consecutive records of one stream: [first, first + count).
struct SeqRange {
  Seq first{};
  std::uint64_t count = 0;
  auto operator<=>(const SeqRange&) const = default;
  Seq end() const { return first + count; }
};

// XXH3-64 of the bytes of a dictionary: what gives a summary's numbers their meaning.
enum class DictionaryHash : std::uint64_t {};

// A robot's name stands in the names of runs and in certificates.
inline constexpr std::string_view kRobotNameRule =
    "1 to 64 letters, digits, dots, dashes and underscores";
bool IsRobotName(std::string_view name);

}  // namespace tacho
