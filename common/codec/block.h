// The columnar codec: rows of one group as one column of times and a column per channel.
//
// The same blocks are a second in the spool, a batch on the wire and a chunk in the store; packing
// and compaction are Append and Encode (docs/formats/codec.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/metric.h"
#include "common/status.h"
#include "common/time.h"

namespace tacho {

// What a cell holds: the reading itself, or one of the five folds of a second that brought more
// than kRawRowsPerSecond readings.
enum class Stat : std::uint8_t { kValue = 0, kLast = 1, kMin = 2, kMax = 3, kSum = 4, kCount = 5 };
inline constexpr int kRawRowsPerSecond = 4;

// Values of one channel, row by row. Where why[i] != kPresent, values[i] is 0 and means nothing.
struct Column {
  ChannelId channel{};
  Stat stat = Stat::kValue;
  std::vector<std::int64_t> values;
  std::vector<Why> why;
  bool operator==(const Column&) const = default;
};

struct Block {
  GroupId group{};
  std::vector<BootTime> times;  // one per row, in order of arrival
  std::vector<Column> columns;  // ordered by (channel, stat), each as long as `times`
  std::size_t rows() const { return times.size(); }
  bool operator==(const Block&) const = default;
};

struct BlockLimits {
  std::size_t blocks = 256;
  std::size_t rows = 65536;
  std::size_t columns = 8192;
  std::size_t cells = 4u << 20;  // over all blocks of one payload
  std::size_t unpacked_bytes = 64u << 20;
};

// Appends the rows of `more` to `to`. A column that one side lacks is kMissing on its rows.
// Requires: the same group.
void Append(Block& to, const Block& more);

// Appends each block of `more` to the block of its group in `to`, or adds it.
void Append(std::vector<Block>& to, std::span<const Block> more);

// Whether the whole payload is offered to zstd (kept only if smaller). kNone is for the spool,
// where a second is too short to gain.
enum class Packing : std::uint8_t { kNone = 0, kZstd = 1 };

std::vector<std::byte> EncodeBlocks(std::span<const Block> blocks, Packing packing);
// Fails with kCorrupt, naming the offset, on anything EncodeBlocks cannot have written, and with
// kExhausted past a limit; never allocates more than the limits allow.
Result<std::vector<Block>> DecodeBlocks(std::span<const std::byte> bytes,
                                        const BlockLimits& limits = {});

}  // namespace tacho
