// Segments as bytes, held against the worked example of docs/formats/spool.md.
#include "daemon/spool/segment_format.h"

#include <gtest/gtest.h>
#include <random>

#include "tests/support/page_example.h"
#include "tests/support/spool_world.h"

namespace tacho {
namespace {

using State = ParsedFrame::State;

SegmentHeader ExampleHeader() {
  SegmentHeader header;
  header.id = 0x8877665544332211;
  header.ordinal = 7;
  header.stream.boot = *BootId::Parse("0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9");
  header.stream.epoch = Epoch{0x0102030405060708};
  header.stream.tier = Tier::kSummaries;
  header.boot_counter = 118;
  header.first = Seq{10};
  header.dictionary = DictionaryHash{0xd1c7};
  header.segment_bytes = 4096;
  return header;
}

Payload Abc() {
  return {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
}

TEST(SegmentFormat, ReadsThePagesExample) {
  const Bytes bytes = PageExample("formats/spool.md", "segment");
  const ParsedHeader parsed = ParseHeader(bytes);
  ASSERT_EQ(parsed.state, HeaderState::kUsed);
  EXPECT_EQ(parsed.header, ExampleHeader());
  const std::vector<std::pair<Seq, DictionaryHash>> expected = {
      {Seq{10}, DictionaryHash{0xd1c7}}, {Seq{11}, DictionaryHash{0xd2c8}}, {Seq{300}, {}}};
  std::size_t offset = kSegmentHeaderBytes;
  for (const auto& [seq, dictionary] : expected) {
    const ParsedFrame frame = ParseFrame(parsed.header, offset, std::span(bytes).subspan(offset));
    ASSERT_EQ(frame.state, State::kFrame) << offset;
    EXPECT_EQ(frame.frame.seq, seq);
    EXPECT_EQ(frame.frame.kind, RecordKind::kSummary);
    EXPECT_EQ(frame.frame.dictionary, dictionary);
    EXPECT_EQ(Payload(frame.frame.payload.begin(), frame.frame.payload.end()), Abc());
    offset += frame.size;
  }
  EXPECT_EQ(ParseFrame(parsed.header, offset, std::span(bytes).subspan(offset)).state, State::kEnd);
}

TEST(SegmentFormat, WritesThePagesExample) {
  const SegmentHeader header = ExampleHeader();
  const Payload payload = Abc();
  Bytes bytes = EncodeHeader(header);
  for (const Frame& frame : {Frame{Seq{10}, RecordKind::kSummary, DictionaryHash{0xd1c7}, payload},
                             Frame{Seq{11}, RecordKind::kSummary, DictionaryHash{0xd2c8}, payload},
                             Frame{Seq{300}, RecordKind::kSummary, {}, payload}}) {
    const auto encoded = EncodeFrame(header, bytes.size(), frame);
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  bytes.resize(bytes.size() + kTerminatorBytes);
  EXPECT_EQ(bytes, PageExample("formats/spool.md", "segment"));
}

TEST(SegmentFormat, TakesZerosForAFreeSegment) {
  EXPECT_EQ(ParseHeader(Bytes(kSegmentHeaderBytes)).state, HeaderState::kFree);
}

TEST(SegmentFormat, SeesEveryBitFlipInAHeader) {
  Bytes bytes = EncodeHeader(ExampleHeader());
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_EQ(ParseHeader(bytes).state, HeaderState::kDamaged);
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
}

TEST(SegmentFormat, SeesEveryBitFlipInAFrame) {
  const SegmentHeader header = ExampleHeader();
  const Payload payload = Abc();
  Bytes bytes = EncodeFrame(header, 200, {Seq{12}, RecordKind::kEvent, {}, payload});
  bytes.resize(64);
  const std::size_t bits = 8 * (bytes.size() - 64 + 11);
  for (std::size_t bit = 0; bit < bits; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_NE(ParseFrame(header, 200, bytes).state, State::kFrame) << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
}

TEST(SegmentFormat, AcceptsAFrameOnlyAtItsOffsetAndInItsSegment) {
  const SegmentHeader header = ExampleHeader();
  const Payload payload = Abc();
  const Bytes bytes = EncodeFrame(header, 200, {Seq{12}, RecordKind::kEvent, {}, payload});
  EXPECT_EQ(ParseFrame(header, 200, bytes).state, State::kFrame);
  EXPECT_EQ(ParseFrame(header, 201, bytes).state, State::kDamaged);
  SegmentHeader recycled = header;
  recycled.id = 99;
  EXPECT_EQ(ParseFrame(recycled, 200, bytes).state, State::kDamaged);
}

TEST(SegmentFormat, AsksForTheBytesOfACutFrame) {
  const SegmentHeader header = ExampleHeader();
  const Payload payload(100);
  const Bytes bytes = EncodeFrame(header, 200, {Seq{12}, RecordKind::kEvent, {}, payload});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const ParsedFrame parsed = ParseFrame(header, 200, std::span(bytes).first(size));
    ASSERT_EQ(parsed.state, State::kNeeds) << size;
    ASSERT_GT(parsed.size, size);
  }
}

TEST(SegmentFormat, FindsTheNextFrameBehindGarbage) {
  const SegmentHeader header = ExampleHeader();
  const Payload payload = Abc();
  std::mt19937 random(5);
  Bytes bytes(500);
  for (std::byte& byte : bytes) {
    byte = random() % 4 == 0 ? std::byte{0xf5} : static_cast<std::byte>(random());
  }
  const Bytes frame = EncodeFrame(header, 200 + 321, {Seq{12}, RecordKind::kEvent, {}, payload});
  std::copy(frame.begin(), frame.end(), bytes.begin() + 321);
  EXPECT_EQ(FindFrame(header, 200, Seq{11}, bytes), std::size_t{200 + 321});
  EXPECT_EQ(FindFrame(header, 200, Seq{12}, bytes), std::nullopt);
}

}  // namespace
}  // namespace tacho
