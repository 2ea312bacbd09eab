// Numbers packed into a fixed count of bits each, lowest bit first (docs/formats/codec.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/bytes.h"

namespace tacho {

// Bits that hold every number in whose union of bits is `any`.
unsigned WidthOf(std::uint64_t any);
std::size_t PackedSize(std::size_t count, unsigned width);

// Requires: every number fits into `width` bits; 0 <= width <= 64.
void PackBits(std::span<const std::uint64_t> numbers, unsigned width, Bytes& out);

// Fills `numbers`. False if the bits left over in the last byte are not zero.
// Requires: packed.size() == PackedSize(numbers.size(), width); 0 <= width <= 64.
bool UnpackBits(std::span<const std::byte> packed, unsigned width,
                std::span<std::uint64_t> numbers);

// Bytes of all numbers as varints.
std::size_t VarintsSize(std::span<const std::uint64_t> numbers);
void PutVarints(std::span<const std::uint64_t> numbers, Bytes& out);

}  // namespace tacho
