// The bytes of the flight ring, written and read with every bound checked.
#include "daemon/recorder/flight_frame.h"

#include <algorithm>
#include <string_view>

#include "common/dictionary.h"

namespace tacho {
namespace {

constexpr std::string_view kMagic = "TACHFLT1";
constexpr std::size_t kCheckAt = 4;
constexpr std::size_t kBodyAt = 8;
constexpr std::size_t kMostCells = 65535;

// The house's one checksum, cut to 32 bits.
std::uint32_t CheckOf(std::span<const std::byte> body) {
  return static_cast<std::uint32_t>(HashOf(body));
}

void Patch(Bytes& out, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) {
    out[at + i] = static_cast<std::byte>(value >> (8 * i));
  }
}

void WriteCells(const Row& row, std::size_t count, ByteWriter& writer) {
  std::int64_t before = -1;
  for (const Cell& cell : std::span(row.cells).first(count)) {
    writer.Signed(static_cast<std::int64_t>(Number(cell.channel)) - before);
    before = Number(cell.channel);
    writer.U8(static_cast<std::uint8_t>(cell.why));
    if (cell.why == Why::kPresent) writer.Signed(cell.value);
  }
}

bool ReadCells(std::size_t count, ByteReader& reader, Row& row) {
  std::int64_t channel = -1;
  for (std::size_t i = 0; i < count && reader.ok(); ++i) {
    if (__builtin_add_overflow(channel, reader.Signed(), &channel)) return false;
    const std::uint8_t why = reader.U8();
    if (channel < 0 || channel > 0xFFFFFFFF || why > static_cast<std::uint8_t>(Why::kMissing)) {
      return false;
    }
    row.cells.push_back({.channel = ChannelId{static_cast<std::uint32_t>(channel)},
                         .value = 0,
                         .why = static_cast<Why>(why)});
    if (row.cells.back().why == Why::kPresent) row.cells.back().value = reader.Signed();
  }
  return reader.ok();
}

}  // namespace

void EncodeFlightFrame(std::uint64_t sequence, DictionaryHash dictionary, const Row& row,
                       Bytes& out) {
  out.clear();
  ByteWriter writer(out);
  writer.U32(0);  // size
  writer.U32(0);  // check
  writer.U64(sequence);
  writer.U64(static_cast<std::uint64_t>(Count(row.at)));
  writer.U64(static_cast<std::uint64_t>(dictionary));
  const std::size_t count = std::min(row.cells.size(), kMostCells);
  writer.U32(Number(row.group) | static_cast<std::uint32_t>(count << 16));
  WriteCells(row, count, writer);
  while (out.size() % kFlightAlignment != 0) {
    writer.U8(0);
  }
  Patch(out, 0, static_cast<std::uint32_t>(out.size()));
  Patch(out, kCheckAt, CheckOf(std::span(out).subspan(kBodyAt)));
}

std::size_t FlightFrameSize(std::span<const std::byte> bytes, bool& is_filler) {
  ByteReader reader(bytes);
  const std::uint32_t word = reader.U32();
  is_filler = (word & kFlightFillerBit) != 0;
  const std::size_t size = word & ~kFlightFillerBit;
  const bool is_possible =
      reader.ok() && size > 0 && size % kFlightAlignment == 0 && size <= bytes.size();
  return is_possible ? size : 0;
}

std::optional<FlightFrame> DecodeFlightFrame(std::span<const std::byte> bytes) {
  bool is_filler = false;
  const std::size_t size = FlightFrameSize(bytes, is_filler);
  if (size <= kBodyAt || is_filler) return std::nullopt;
  ByteReader reader(bytes.first(size));
  (void)reader.U32();  // the size, ignored since it was just read
  if (reader.U32() != CheckOf(bytes.first(size).subspan(kBodyAt))) return std::nullopt;
  FlightFrame frame;
  frame.sequence = reader.U64();
  frame.row.at = BootTimeOf(static_cast<std::int64_t>(reader.U64()));
  frame.dictionary = DictionaryHash{reader.U64()};
  const std::uint32_t group_and_count = reader.U32();
  frame.row.group = GroupId{static_cast<std::uint16_t>(group_and_count)};
  if (!ReadCells(group_and_count >> 16, reader, frame.row)) return std::nullopt;
  return frame;
}

void EncodeFlightHeader(const FlightHeader& header, Bytes& out) {
  out.clear();
  ByteWriter writer(out);
  writer.Raw(std::as_bytes(std::span(kMagic)));
  writer.U32(FlightHeader::kVersion);
  writer.U32(FlightHeader::kBytes);
  writer.U64(header.capacity);
  writer.Raw(std::as_bytes(std::span(header.boot.bytes)));
  writer.U64(static_cast<std::uint64_t>(Count(header.last_alive)));
  writer.U64(header.head);
  writer.U64(header.tail);
  writer.U64(header.next_sequence);
  out.resize(FlightHeader::kBytes);
}

Result<FlightHeader> DecodeFlightHeader(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto magic = reader.Raw(kMagic.size());
  if (!std::ranges::equal(magic, std::as_bytes(std::span(kMagic)))) {
    return Status(Code::kCorrupt, "this is no flight ring: its first bytes are not \"TACHFLT1\"");
  }
  if (reader.U32() != FlightHeader::kVersion || reader.U32() != FlightHeader::kBytes) {
    return Status(Code::kUnsupported, "this flight ring is of another version");
  }
  FlightHeader header;
  header.capacity = reader.U64();
  for (std::uint8_t& byte : header.boot.bytes) {
    byte = reader.U8();
  }
  header.last_alive = BootTimeOf(static_cast<std::int64_t>(reader.U64()));
  header.head = reader.U64();
  header.tail = reader.U64();
  header.next_sequence = reader.U64();
  const bool is_sound = bytes.size() >= FlightHeader::kBytes &&
                        header.capacity == bytes.size() - FlightHeader::kBytes &&
                        header.capacity % kFlightAlignment == 0 && header.capacity > 0 &&
                        header.head % kFlightAlignment == 0 &&
                        header.tail % kFlightAlignment == 0 && header.tail <= header.head &&
                        header.head - header.tail <= header.capacity;
  if (!is_sound) return Status(Code::kCorrupt, "the header of the flight ring contradicts itself");
  return header;
}

Result<std::vector<FlightFrame>> ReadFlight(std::span<const std::byte> file) {
  const auto header = DecodeFlightHeader(file);
  if (!header.ok()) return Status(*header.error());
  const auto ring = file.subspan(FlightHeader::kBytes);
  std::vector<FlightFrame> frames;
  for (std::uint64_t at = header->tail; at < header->head;) {
    const auto rest = ring.subspan(static_cast<std::size_t>(at % header->capacity));
    bool is_filler = false;
    const std::size_t size = FlightFrameSize(rest, is_filler);
    if (size == 0) break;
    at += size;
    if (is_filler) continue;
    auto frame = DecodeFlightFrame(rest);
    if (!frame) break;
    if (!frames.empty() && frame->sequence != frames.back().sequence + 1) break;
    frames.push_back(std::move(*frame));
  }
  return frames;
}

}  // namespace tacho
