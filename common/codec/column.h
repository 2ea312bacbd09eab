// The values of one column as small numbers, and back (docs/formats/codec.md, "Forms").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/codec/block.h"

namespace tacho {

enum class Method : std::uint8_t {
  kConstant = 0,
  kVarintDeltas = 1,
  kPackedOffsets = 2,
  kPackedDeltas = 3,
};

// How a column is written.
struct ColumnPlan {
  Method method = Method::kConstant;
  std::int64_t first = 0;  // the constant, the first value, or with kPackedOffsets the least value
  std::uint64_t divisor = 1;
  unsigned width = 0;  // bits of each number; of the packed methods only
  bool operator==(const ColumnPlan&) const = default;
};

// The first two bytes of a payload: version and packing.
inline constexpr std::uint8_t kBlockVersion = 1;
inline constexpr std::size_t kBlockHead = 2;

// Bits of the byte that opens a column.
inline constexpr std::uint8_t kMethodBits = 0x03;
inline constexpr std::uint8_t kHasAbsences = 0x04;
inline constexpr std::uint8_t kHasDivisor = 0x08;
inline constexpr std::uint8_t kHasStep = 0x10;
inline constexpr std::uint8_t kFormBits = 0x1F;

// Columns are ordered by key; the key that needs no step is the next channel's, of the same stat.
inline constexpr std::int64_t kStats = 6;
inline constexpr std::int64_t kKeyBeforeFirst = -kStats;
constexpr std::int64_t KeyOf(ChannelId channel, Stat stat) {
  return std::int64_t{Number(channel)} * kStats + static_cast<std::int64_t>(stat);
}

// A width that means varints, in the settings of the times.
inline constexpr std::uint8_t kVarintWidth = 65;

// Picks the method with the fewest bytes and leaves in `numbers` what is to be written.
// Requires: values.size() > 0.
ColumnPlan PlanColumn(std::span<const std::int64_t> values, std::vector<std::uint64_t>& numbers);

// How many numbers a column of `present` values has under this plan.
std::size_t NumbersOf(Method method, std::size_t present);

// The inverse of PlanColumn. Requires: values.size() > 0 and
// numbers.size() == NumbersOf(plan.method, values.size()).
void RestoreColumn(const ColumnPlan& plan, std::span<const std::uint64_t> numbers,
                   std::span<std::int64_t> values);

}  // namespace tacho
