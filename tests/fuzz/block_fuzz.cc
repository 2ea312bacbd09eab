// Any bytes are refused as blocks, or decode to blocks that survive being written again.
#include <cstdint>
#include <cstdlib>

#include "common/codec/block.h"

using tacho::DecodeBlocks;
using tacho::EncodeBlocks;
using tacho::Packing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Small limits keep a run fast; they are checked before anything is allocated.
  constexpr tacho::BlockLimits kLimits = {
      .blocks = 16, .rows = 4096, .columns = 256, .cells = 1 << 16, .unpacked_bytes = 1 << 20};
  const auto blocks = DecodeBlocks(std::as_bytes(std::span(data, size)), kLimits);
  if (!blocks.ok()) return 0;
  for (const Packing packing : {Packing::kNone, Packing::kZstd}) {
    const auto again = DecodeBlocks(EncodeBlocks(*blocks, packing), kLimits);
    if (!again.ok() || *again != *blocks) std::abort();
  }
  return 0;
}
