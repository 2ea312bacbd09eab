// Reading and writing of the house's binary formats: little endian, LEB128 varints, bounds always
// checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tacho {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t ZigZag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t UnZigZag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

// Appends to a byte vector.
class ByteWriter {
 public:
  explicit ByteWriter(Bytes& out) : out_(out) {}

  void U8(std::uint8_t value) { out_.push_back(static_cast<std::byte>(value)); }
  void U32(std::uint32_t value) { Fixed(value, 4); }
  void U64(std::uint64_t value) { Fixed(value, 8); }
  void Varint(std::uint64_t value) {
    while (value >= 0x80) {
      U8(static_cast<std::uint8_t>(value | 0x80));
      value >>= 7;
    }
    U8(static_cast<std::uint8_t>(value));
  }
  void Signed(std::int64_t value) { Varint(ZigZag(value)); }
  // Length as varint, then the bytes.
  void Text(std::string_view text) {
    Varint(text.size());
    Raw(std::as_bytes(std::span(text)));
  }
  void Raw(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;  // memcpy takes no null pointer
    const std::size_t at = out_.size();
    out_.resize(at + bytes.size());
    std::memcpy(out_.data() + at, bytes.data(), bytes.size());
  }

 private:
  void Fixed(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) {
      U8(static_cast<std::uint8_t>(value >> (8 * i)));
    }
  }
  Bytes& out_;
};

// Reads from a span. After the first read past the end, or of a malformed varint, ok() stays false
// and every read gives 0; offset() is where it went wrong.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool ok() const { return is_ok_; }
  std::size_t offset() const { return at_; }
  std::size_t left() const { return is_ok_ ? bytes_.size() - at_ : 0; }

  std::uint8_t U8() { return static_cast<std::uint8_t>(Fixed(1)); }
  std::uint32_t U32() { return static_cast<std::uint32_t>(Fixed(4)); }
  std::uint64_t U64() { return Fixed(8); }
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; is_ok_ && shift < 64 && at_ < bytes_.size(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes_[at_]);
      if (shift == 63 && byte > 1) break;  // more than 64 bits
      ++at_;
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    is_ok_ = false;
    return 0;
  }
  std::int64_t Signed() { return UnZigZag(Varint()); }
  // At most `limit` bytes of text.
  std::string Text(std::size_t limit) {
    const std::uint64_t size = Varint();
    if (size > limit) is_ok_ = false;
    const auto raw = Raw(static_cast<std::size_t>(size));
    return std::string(reinterpret_cast<const char*>(raw.data()), raw.size());
  }
  std::span<const std::byte> Raw(std::size_t size) {
    if (size > left()) {
      is_ok_ = false;
      return {};
    }
    const auto raw = bytes_.subspan(at_, size);
    at_ += size;
    return raw;
  }

 private:
  std::uint64_t Fixed(std::size_t size) {
    const auto raw = Raw(size);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      value |= static_cast<std::uint64_t>(raw[i]) << (8 * i);
    }
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool is_ok_ = true;
};

}  // namespace tacho
