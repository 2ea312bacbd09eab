// One row as bytes of the flight ring (docs/formats/flight.md): pure encoding and reading.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/bytes.h"
#include "common/ids.h"
#include "common/status.h"
#include "daemon/recorder/row.h"

namespace tacho {

struct FlightFrame {
  std::uint64_t sequence = 0;
  DictionaryHash dictionary{};
  Row row;
  bool operator==(const FlightFrame&) const = default;
};

// The fixed beginning of the file.
struct FlightHeader {
  static constexpr std::size_t kBytes = 128;
  static constexpr std::uint32_t kVersion = 1;

  std::uint64_t capacity = 0;  // bytes after the header
  BootId boot;
  BootTime last_alive;
  std::uint64_t head = 0;           // bytes ever written: the next frame is at head % capacity
  std::uint64_t tail = 0;           // the oldest whole frame, counted alike
  std::uint64_t next_sequence = 0;  // of the next frame
};

// Where the fields that change live in the header.
inline constexpr std::size_t kFlightLastAliveAt = 40;
inline constexpr std::size_t kFlightHeadAt = 48;
inline constexpr std::size_t kFlightTailAt = 56;
inline constexpr std::size_t kFlightNextSequenceAt = 64;

// Every frame's size is a multiple of this, so that a filler always fits.
inline constexpr std::size_t kFlightAlignment = 8;
inline constexpr std::uint32_t kFlightFillerBit = 0x80000000u;

// Replaces what is in `out`. Allocates only while `out` grows to the largest row's size.
void EncodeFlightFrame(std::uint64_t sequence, DictionaryHash dictionary, const Row& row,
                       Bytes& out);
// The frame at the start of `bytes`; nullopt unless size and check hold.
std::optional<FlightFrame> DecodeFlightFrame(std::span<const std::byte> bytes);
// Bytes up to the next frame, filler or not; 0 if it cannot be one.
std::size_t FlightFrameSize(std::span<const std::byte> bytes, bool& is_filler);

void EncodeFlightHeader(const FlightHeader& header, Bytes& out);
Result<FlightHeader> DecodeFlightHeader(std::span<const std::byte> bytes);

// All whole frames of a file, oldest first: from the tail up to the first that does not hold or
// does not follow in sequence.
Result<std::vector<FlightFrame>> ReadFlight(std::span<const std::byte> file);

}  // namespace tacho
