// Segment files as bytes: their header and the frames that records lie in (docs/formats/spool.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/ids.h"
#include "common/record.h"

namespace tacho {

inline constexpr std::size_t kSegmentHeaderBytes = 128;
// So many zeros follow the newest frame, unless the segment ends before.
inline constexpr std::size_t kTerminatorBytes = 8;
// The most that a frame adds to its payload.
inline constexpr std::size_t kMaxFrameOverhead = 1 + 4 + 1 + 10 + 5 + 8;
// A file is no segment below or above this.
inline constexpr std::int64_t kMinSegmentBytes = 4096;
inline constexpr std::int64_t kMaxSegmentBytes = std::int64_t{1} << 30;

// One segment: part of one stream.
struct SegmentHeader {
  std::uint64_t id = 0;       // random: the checks of frames cover it, so that none outlives it
  std::uint64_t ordinal = 0;  // grows over all segments of a spool
  StreamKey stream;
  std::uint64_t boot_counter = 0;
  Seq first{};                  // no frame has a lower seq
  DictionaryHash dictionary{};  // of the first frame; frames that share it need not repeat it
  std::int64_t segment_bytes = 0;
  bool operator==(const SegmentHeader&) const = default;
};

enum class HeaderState : std::uint8_t {
  kFree,     // zeros: holds nothing
  kUsed,     // holds records
  kUnknown,  // a header of ours from another version
  kDamaged,  // anything else
};

struct ParsedHeader {
  HeaderState state = HeaderState::kDamaged;
  SegmentHeader header;  // of kUsed
};

std::vector<std::byte> EncodeHeader(const SegmentHeader& header);
// Fewer bytes than a header has are damage, unless they are zeros.
ParsedHeader ParseHeader(std::span<const std::byte> bytes);

// A record's place in a segment. The payload is a view into the bytes that were parsed.
struct Frame {
  Seq seq{};
  RecordKind kind{};
  DictionaryHash dictionary{};
  std::span<const std::byte> payload;
};

// The bytes of one frame that will lie at `offset` of the segment, without the terminator.
// Requires: frame.seq >= header.first, payload below 16 MiB.
std::vector<std::byte> EncodeFrame(const SegmentHeader& header, std::size_t offset,
                                   const Frame& frame);

struct ParsedFrame {
  enum class State : std::uint8_t {
    kFrame,
    kEnd,      // a terminator, or too little room before the segment's end
    kNeeds,    // `size` bytes are needed to tell
    kDamaged,  // no frame lies here
  };
  State state = State::kDamaged;
  std::size_t size = 0;
  Frame frame;
};

// `bytes` are those of the segment from `offset` on, as many as were read.
ParsedFrame ParseFrame(const SegmentHeader& header, std::size_t offset,
                       std::span<const std::byte> bytes);

// The nearest offset above `offset` at which a frame lies with a seq above `after`; the whole rest
// of the segment from `offset` on is in `bytes`. The work is bounded, whatever the bytes are.
std::optional<std::size_t> FindFrame(const SegmentHeader& header, std::size_t offset, Seq after,
                                     std::span<const std::byte> bytes);

}  // namespace tacho
