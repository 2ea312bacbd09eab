// Packing by whole 64-bit words; the hot loops of the codec.
#include "common/codec/bits.h"

#include <array>
#include <bit>
#include <cstring>

namespace tacho {
namespace {

static_assert(std::endian::native == std::endian::little, "words are stored as they lie in memory");

constexpr unsigned kWord = 64;

std::size_t VarintSize(std::uint64_t number) {
  return (static_cast<std::size_t>(std::bit_width(number | 1)) + 6) / 7;
}

std::uint64_t MaskOf(unsigned width) {
  return width == kWord ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

// Reads `width` bits from bit `at`. Requires: nine readable bytes at at / 8.
std::uint64_t ReadBits(const std::byte* bytes, std::size_t at, unsigned width) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes + at / 8, sizeof(word));
  const unsigned shift = at % 8;
  std::uint64_t number = word >> shift;
  if (width + shift > kWord) {
    number |= static_cast<std::uint64_t>(bytes[at / 8 + 8]) << (kWord - shift);
  }
  return number & MaskOf(width);
}

}  // namespace

unsigned WidthOf(std::uint64_t any) {
  return static_cast<unsigned>(std::bit_width(any));
}

std::size_t PackedSize(std::size_t count, unsigned width) {
  return (count * width + 7) / 8;
}

void PackBits(std::span<const std::uint64_t> numbers, unsigned width, Bytes& out) {
  std::size_t at = out.size();
  out.resize(at + PackedSize(numbers.size(), width));
  std::uint64_t held = 0;
  unsigned used = 0;
  for (const std::uint64_t number : numbers) {
    held |= number << used;
    used += width;
    if (used < kWord) continue;
    std::memcpy(out.data() + at, &held, sizeof(held));
    at += sizeof(held);
    used -= kWord;
    held = used == 0 ? 0 : number >> (width - used);
  }
  if (used > 0) std::memcpy(out.data() + at, &held, (used + 7) / 8);
}

bool UnpackBits(std::span<const std::byte> packed, unsigned width,
                std::span<std::uint64_t> numbers) {
  constexpr std::size_t kReach = 9;  // bytes that ReadBits touches
  std::size_t i = 0;
  std::size_t at = 0;
  for (; i < numbers.size() && at / 8 + kReach <= packed.size(); ++i, at += width) {
    numbers[i] = ReadBits(packed.data(), at, width);
  }
  // The last few lie too near the end to be read by words: read them from a padded copy.
  std::array<std::byte, 4 * kReach> tail{};
  const std::size_t first = at / 8;
  if (first < packed.size()) {
    std::memcpy(tail.data(), packed.data() + first, packed.size() - first);
  }
  for (; i < numbers.size(); ++i, at += width) {
    numbers[i] = ReadBits(tail.data(), at - first * 8, width);
  }
  const unsigned left_over = static_cast<unsigned>(packed.size() * 8 - numbers.size() * width);
  return left_over == 0 || ReadBits(tail.data(), at - first * 8, left_over) == 0;
}

std::size_t VarintsSize(std::span<const std::uint64_t> numbers) {
  std::size_t size = 0;
  for (const std::uint64_t number : numbers) {
    size += VarintSize(number);
  }
  return size;
}

void PutVarints(std::span<const std::uint64_t> numbers, Bytes& out) {
  std::size_t at = out.size();
  out.resize(at + VarintsSize(numbers));
  for (std::uint64_t number : numbers) {
    for (; number >= 0x80; number >>= 7) {
      out[at++] = static_cast<std::byte>(number | 0x80);
    }
    out[at++] = static_cast<std::byte>(number);
  }
}

}  // namespace tacho
