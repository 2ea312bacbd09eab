#include "daemon/uplink/packer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/codec/block.h"

namespace tacho {

namespace {

bool Follows(const Record& next, const Record& before) {
  return next.kind == RecordKind::kSummary && next.dictionary == before.dictionary &&
         next.seqs.first == before.seqs.end();
}

}  // namespace

Packed Pack(std::span<const Record> records, std::size_t most_records) {
  const Record& first = records.front();
  Packed packed{first, 1};
  if (first.kind != RecordKind::kSummary) return packed;
  auto blocks = DecodeBlocks(first.payload);
  if (!blocks.ok()) return packed;
  const std::size_t most = std::min(records.size(), most_records);
  while (packed.used < most && Follows(records[packed.used], records[packed.used - 1])) {
    const auto more = DecodeBlocks(records[packed.used].payload);
    if (!more.ok()) break;
    Append(*blocks, *more);
    ++packed.used;
  }
  packed.record.seqs.count = packed.used;
  packed.record.payload = EncodeBlocks(*blocks, Packing::kZstd);
  return packed;
}

}  // namespace tacho
