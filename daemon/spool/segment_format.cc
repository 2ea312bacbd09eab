// Headers and frames: fixed places for what is read once, varints for what is written every second.
#include "daemon/spool/segment_format.h"

#include <algorithm>
#include <xxhash.h>

#include "common/bytes.h"

namespace tacho {
namespace {

constexpr std::uint64_t kMagic = 0x4c4f'4f50'5348'4354;  // "TCHSPOOL" in the file
constexpr std::uint32_t kVersion = 1;
constexpr std::byte kFrameMark{0xf5};
constexpr std::size_t kCheckedFrom = 5;  // behind mark and check
constexpr std::size_t kMinFrameBytes = 8;
constexpr std::uint64_t kMaxPayload = 16u << 20;
// Damage is passed over by trying every offset; so much hashing, in segments, is enough for any
// damage that was not made to be slow.
constexpr std::size_t kSearchSegments = 16;

enum class DictionaryForm : std::uint8_t { kNone = 0, kOfHeader = 1, kOwn = 2 };

std::uint64_t HeaderCheck(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), kSegmentHeaderBytes - 8);
}

std::uint32_t FrameCheck(const SegmentHeader& header, std::size_t offset,
                         std::span<const std::byte> checked) {
  return static_cast<std::uint32_t>(
      XXH3_64bits_withSeed(checked.data(), checked.size(), header.id + offset));
}

DictionaryForm FormOf(const SegmentHeader& header, DictionaryHash dictionary) {
  if (dictionary == DictionaryHash{}) return DictionaryForm::kNone;
  return dictionary == header.dictionary ? DictionaryForm::kOfHeader : DictionaryForm::kOwn;
}

// What stands before the payload, and whether it can be a frame's.
struct Prefix {
  Frame frame;
  std::size_t payload_at = 0;
  std::uint64_t payload_size = 0;
  bool is_cut = false;  // the bytes ended first
  bool is_valid = false;
};

Prefix ParsePrefix(const SegmentHeader& header, std::span<const std::byte> bytes) {
  Prefix prefix;
  ByteReader reader(bytes);
  reader.Raw(kCheckedFrom);
  const std::uint8_t kind_and_form = reader.U8();
  const std::uint64_t delta = reader.Varint();
  prefix.payload_size = reader.Varint();
  const auto form = static_cast<DictionaryForm>(kind_and_form >> 6);
  if (form == DictionaryForm::kOfHeader) prefix.frame.dictionary = header.dictionary;
  if (form == DictionaryForm::kOwn) prefix.frame.dictionary = DictionaryHash{reader.U64()};
  prefix.is_cut = !reader.ok() && bytes.size() < kMaxFrameOverhead;
  prefix.frame.kind = static_cast<RecordKind>(kind_and_form & 0x3f);
  prefix.frame.seq = header.first + delta;
  prefix.payload_at = reader.offset();
  prefix.is_valid = reader.ok() && form <= DictionaryForm::kOwn &&
                    prefix.payload_size <= kMaxPayload &&
                    delta < static_cast<std::uint64_t>(kMaxSegmentBytes);
  return prefix;
}

}  // namespace

std::vector<std::byte> EncodeHeader(const SegmentHeader& header) {
  Bytes out;
  ByteWriter writer(out);
  writer.U64(kMagic);
  writer.U32(kVersion);
  writer.U32(static_cast<std::uint32_t>(header.stream.tier));
  writer.U64(header.id);
  writer.U64(header.ordinal);
  writer.Raw(std::as_bytes(std::span(header.stream.boot.bytes)));
  writer.U64(header.boot_counter);
  writer.U64(Number(header.stream.epoch));
  writer.U64(Number(header.first));
  writer.U64(static_cast<std::uint64_t>(header.dictionary));
  writer.U64(static_cast<std::uint64_t>(header.segment_bytes));
  out.resize(kSegmentHeaderBytes - 8);
  writer.U64(HeaderCheck(out));
  return out;
}

ParsedHeader ParseHeader(std::span<const std::byte> bytes) {
  ParsedHeader parsed;
  bytes = bytes.first(std::min(bytes.size(), kSegmentHeaderBytes));
  // Fewer than a header's worth of zeros: the file is just being made.
  if (std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{}; })) {
    parsed.state = HeaderState::kFree;
    return parsed;
  }
  if (bytes.size() < kSegmentHeaderBytes) return parsed;
  ByteReader reader(bytes);
  const std::uint64_t magic = reader.U64();
  const std::uint32_t version = reader.U32();
  SegmentHeader header;
  const std::uint32_t tier = reader.U32();
  header.id = reader.U64();
  header.ordinal = reader.U64();
  for (std::uint8_t& byte : header.stream.boot.bytes) {
    byte = reader.U8();
  }
  header.boot_counter = reader.U64();
  header.stream.epoch = Epoch{reader.U64()};
  header.stream.tier = static_cast<Tier>(tier);
  header.first = Seq{reader.U64()};
  header.dictionary = DictionaryHash{reader.U64()};
  header.segment_bytes = static_cast<std::int64_t>(reader.U64());
  if (magic != kMagic) return parsed;
  ByteReader check(bytes.last(8));
  if (check.U64() != HeaderCheck(bytes)) return parsed;
  parsed.state = HeaderState::kUnknown;
  if (version != kVersion || tier >= kTiers || header.segment_bytes < kMinSegmentBytes ||
      header.segment_bytes > kMaxSegmentBytes || Number(header.first) > UINT64_MAX / 2) {
    return parsed;
  }
  return {HeaderState::kUsed, header};
}

std::vector<std::byte> EncodeFrame(const SegmentHeader& header, std::size_t offset,
                                   const Frame& frame) {
  Bytes out;
  out.reserve(kMaxFrameOverhead + frame.payload.size());
  ByteWriter writer(out);
  writer.U8(static_cast<std::uint8_t>(kFrameMark));
  writer.U32(0);
  const DictionaryForm form = FormOf(header, frame.dictionary);
  writer.U8(static_cast<std::uint8_t>(static_cast<unsigned>(frame.kind) |
                                      (static_cast<unsigned>(form) << 6)));
  writer.Varint(frame.seq - header.first);
  writer.Varint(frame.payload.size());
  if (form == DictionaryForm::kOwn) writer.U64(static_cast<std::uint64_t>(frame.dictionary));
  writer.Raw(frame.payload);
  const std::uint32_t check = FrameCheck(header, offset, std::span(out).subspan(kCheckedFrom));
  for (unsigned i = 0; i < 4; ++i) {
    out[1 + i] = static_cast<std::byte>(check >> (8 * i));
  }
  return out;
}

ParsedFrame ParseFrame(const SegmentHeader& header, std::size_t offset,
                       std::span<const std::byte> bytes) {
  using State = ParsedFrame::State;
  const auto whole = static_cast<std::size_t>(header.segment_bytes);
  if (offset + kMinFrameBytes > whole) return {State::kEnd, 0, {}};
  const std::size_t room = whole - offset;
  bytes = bytes.first(std::min(bytes.size(), room));
  if (bytes.empty()) return {State::kNeeds, std::min(room, kMaxFrameOverhead), {}};
  if (bytes[0] == std::byte{}) return {State::kEnd, 0, {}};
  if (bytes[0] != kFrameMark) return {State::kDamaged, 0, {}};
  Prefix prefix = ParsePrefix(header, bytes);
  if (prefix.is_cut && bytes.size() < room) {
    return {State::kNeeds, std::min(room, kMaxFrameOverhead), {}};
  }
  if (!prefix.is_valid || prefix.payload_size > room - prefix.payload_at) {
    return {State::kDamaged, 0, {}};
  }
  const std::size_t size = prefix.payload_at + static_cast<std::size_t>(prefix.payload_size);
  if (bytes.size() < size) return {State::kNeeds, size, {}};
  ByteReader check(bytes.subspan(1, 4));
  if (check.U32() != FrameCheck(header, offset, bytes.first(size).subspan(kCheckedFrom))) {
    return {State::kDamaged, 0, {}};
  }
  prefix.frame.payload = bytes.subspan(prefix.payload_at, size - prefix.payload_at);
  return {State::kFrame, size, prefix.frame};
}

std::optional<std::size_t> FindFrame(const SegmentHeader& header, std::size_t offset, Seq after,
                                     std::span<const std::byte> bytes) {
  std::size_t budget = kSearchSegments * static_cast<std::size_t>(header.segment_bytes);
  for (std::size_t at = 1; at < bytes.size(); ++at) {
    if (bytes[at] != kFrameMark) continue;
    const ParsedFrame parsed = ParseFrame(header, offset + at, bytes.subspan(at));
    if (parsed.state == ParsedFrame::State::kFrame && parsed.frame.seq > after) return offset + at;
    const Prefix prefix = ParsePrefix(header, bytes.subspan(at));
    const std::size_t hashed = prefix.is_valid ? static_cast<std::size_t>(prefix.payload_size) : 0;
    if (hashed > bytes.size() - at) continue;
    if (hashed > budget) return std::nullopt;
    budget -= hashed;
  }
  return std::nullopt;
}

}  // namespace tacho
