// Blocks survive their bytes, and bytes that are no blocks are refused.
#include "common/codec/block.h"

#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "common/bytes.h"
#include "tests/support/block_maker.h"
#include "tests/support/page_example.h"

namespace tacho {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// What comes back; fails the test if nothing does.
std::vector<Block> RoundTrip(std::span<const Block> blocks, Packing packing) {
  auto decoded = DecodeBlocks(EncodeBlocks(blocks, packing));
  if (!decoded.ok()) {
    ADD_FAILURE() << decoded.error()->message();
    return {};
  }
  return *std::move(decoded);
}

void ExpectRoundTrip(const Block& block) {
  const std::vector<Block> blocks = {block};
  EXPECT_EQ(RoundTrip(blocks, Packing::kNone), blocks);
  EXPECT_EQ(RoundTrip(blocks, Packing::kZstd), blocks);
}

Block BlockOf(std::vector<std::int64_t> values) {
  Block block = SteadyBlock(GroupId{1}, values.size());
  block.columns.push_back(FullColumn(ChannelId{0}, std::move(values)));
  return block;
}

Code CodeOf(std::span<const std::byte> bytes, const BlockLimits& limits = {}) {
  auto decoded = DecodeBlocks(bytes, limits);
  return decoded.ok() ? Code::kOk : decoded.error()->code();
}

Block PageBlock() {
  Block block;
  block.group = GroupId{3};
  for (const std::int64_t at : {1'000'000'000, 2'000'000'000}) {
    block.times.push_back(BootTimeOf(at));
  }
  block.times.push_back(BootTimeOf(3'000'000'001));
  block.times.push_back(BootTimeOf(4'000'000'002));
  block.times.push_back(BootTimeOf(5'000'000'003));
  block.columns = {FullColumn(ChannelId{0}, {100, 100, 100, 100, 100}),
                   FullColumn(ChannelId{1}, {2800, 0, 3200, 2800, 3200}),
                   FullColumn(ChannelId{2}, {5, 6, 300, 300, 300}, Stat::kMax)};
  block.columns[1].why[1] = Why::kGated;
  return block;
}

TEST(CodecPageTest, BlockExampleIsWhatThePageSays) {
  const Bytes page = PageExample("formats/codec.md", "block");
  const std::vector<Block> blocks = {PageBlock()};
  EXPECT_EQ(EncodeBlocks(blocks, Packing::kNone), page);
  auto decoded = DecodeBlocks(page);
  ASSERT_TRUE(decoded.ok());
  EXPECT_EQ(*decoded, blocks);
}

TEST(BlockTest, NoBlockAtAllSurvives) {
  EXPECT_TRUE(RoundTrip({}, Packing::kNone).empty());
  EXPECT_TRUE(RoundTrip({}, Packing::kZstd).empty());
}

TEST(BlockTest, NoRowAndNoColumnSurvive) {
  ExpectRoundTrip(Block{});
  ExpectRoundTrip(BlockOf({}));
  ExpectRoundTrip(SteadyBlock(GroupId{9}, 5));
}

TEST(BlockTest, OneAndTwoRowsSurvive) {
  for (const std::int64_t value : {kLeast, std::int64_t{-1}, std::int64_t{0}, kMost}) {
    ExpectRoundTrip(BlockOf({value}));
    ExpectRoundTrip(BlockOf({value, 3}));
  }
}

TEST(BlockTest, AlternatingExtremesSurvive) {
  ExpectRoundTrip(BlockOf({kLeast, kMost, kLeast, kMost, kLeast}));
  ExpectRoundTrip(BlockOf({0, kMost, 0, kLeast, 0}));
  ExpectRoundTrip(BlockOf({kLeast, 0, kLeast, 0}));
}

TEST(BlockTest, StepsOfTheLargestDivisorSurvive) {
  ExpectRoundTrip(BlockOf({0, kMost, 0, kMost}));
  ExpectRoundTrip(BlockOf({kLeast, -1, kLeast, -1}));
  ExpectRoundTrip(BlockOf({-400, 800, 0, 400}));
}

TEST(BlockTest, TimesThatJumpBothWaysSurvive) {
  Block block = BlockOf({1, 2, 3, 4, 5});
  block.times = {BootTimeOf(kMost), BootTimeOf(kLeast), BootTimeOf(0), BootTimeOf(0),
                 BootTimeOf(-7)};
  ExpectRoundTrip(block);
}

TEST(BlockTest, ColumnWithoutAnyValueSurvives) {
  Block block = BlockOf({0, 0, 0});
  block.columns[0].why = {Why::kBroken, Why::kBroken, Why::kMissing};
  ExpectRoundTrip(block);
}

TEST(BlockTest, EveryReasonSurvivesBetweenValues) {
  Block block = BlockOf({1, 0, 0, 0, 0, 0, 0, 9});
  for (std::size_t i = 1; i < 7; ++i) {
    block.columns[0].why[i] = static_cast<Why>(i);
  }
  ExpectRoundTrip(block);
}

TEST(BlockTest, ChannelsWithHolesAndAllStatsSurvive) {
  Block block = SteadyBlock(GroupId{0xFFFF}, 2);
  for (const std::uint32_t channel : {0u, 5u, 6u, 0xFFFFFFFFu}) {
    for (int stat = 0; stat < 6; ++stat) {
      block.columns.push_back(FullColumn(ChannelId{channel}, {1, 2}, static_cast<Stat>(stat)));
    }
  }
  ExpectRoundTrip(block);
}

TEST(BlockTest, HostileBlocksSurvive) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    ExpectRoundTrip(HostileBlock(random, random() % 70, random() % 8));
  }
}

TEST(BlockTest, EveryWidthSurvives) {
  std::mt19937_64 random(5);
  for (unsigned width = 1; width < 64; ++width) {
    std::vector<std::int64_t> values;
    for (int i = 0; i < 100; ++i) {
      values.push_back(static_cast<std::int64_t>(random() >> (64 - width)));
    }
    ExpectRoundTrip(BlockOf(values));
  }
}

TEST(BlockTest, SeveralGroupsInOnePayloadSurvive) {
  const std::vector<Block> blocks = {BlockOf({1, 2, 3}), PageBlock(), SteadyBlock(GroupId{7}, 0)};
  EXPECT_EQ(RoundTrip(blocks, Packing::kNone), blocks);
  EXPECT_EQ(RoundTrip(blocks, Packing::kZstd), blocks);
}

TEST(BlockTest, ZstdIsKeptOnlyWhereItIsSmaller) {
  const std::vector<Block> tiny = {BlockOf({1})};
  EXPECT_EQ(EncodeBlocks(tiny, Packing::kZstd), EncodeBlocks(tiny, Packing::kNone));
  const std::vector<Block> robot = {RobotMaker(1).Make(60)};
  EXPECT_LT(EncodeBlocks(robot, Packing::kZstd).size(), EncodeBlocks(robot, Packing::kNone).size());
}

TEST(BlockTest, QuantisedRailsCostOneBitAValue) {
  std::vector<std::int64_t> values;
  for (int i = 0; i < 800; ++i) {
    values.push_back(i * 7 % 3 == 0 ? 2800 : 3200);
  }
  const std::vector<Block> blocks = {BlockOf(values)};
  EXPECT_LT(EncodeBlocks(blocks, Packing::kNone).size(), 800 / 8 + 40u);
}

// The goals of the design; the exact figures are printed by codec_bench.
TEST(BlockTest, SixtyChannelsMeetTheirByteBudget) {
  const std::vector<Block> short_batch = {RobotMaker(1).Make(30)};
  const std::vector<Block> chunk = {RobotMaker(1).Make(1000)};
  EXPECT_LT(EncodeBlocks(short_batch, Packing::kZstd).size(), 1.5 * 60 * 30);
  EXPECT_LT(EncodeBlocks(chunk, Packing::kZstd).size(), 1.2 * 60 * 1000);
}

TEST(BlockRefusalTest, EveryCutIsRefused) {
  std::mt19937_64 random(3);
  const std::vector<Block> blocks = {HostileBlock(random, 20, 6), RobotMaker(2).Make(10)};
  for (const Packing packing : {Packing::kNone, Packing::kZstd}) {
    const Bytes bytes = EncodeBlocks(blocks, packing);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_EQ(CodeOf(std::span(bytes).first(size)), Code::kCorrupt) << size;
    }
  }
}

TEST(BlockRefusalTest, EveryFlippedBitIsRefusedOrDecodes) {
  std::mt19937_64 random(4);
  const std::vector<Block> blocks = {HostileBlock(random, 20, 6), RobotMaker(2).Make(5)};
  for (const Packing packing : {Packing::kNone, Packing::kZstd}) {
    Bytes bytes = EncodeBlocks(blocks, packing);
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      const Code code = CodeOf(bytes);
      EXPECT_TRUE(code == Code::kOk || code == Code::kCorrupt || code == Code::kExhausted);
      bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
  }
}

TEST(BlockRefusalTest, BytesAfterTheEndAreRefused) {
  for (const Packing packing : {Packing::kNone, Packing::kZstd}) {
    Bytes bytes = EncodeBlocks(std::vector<Block>{RobotMaker(2).Make(30)}, packing);
    bytes.push_back(std::byte{0});
    EXPECT_EQ(CodeOf(bytes), Code::kCorrupt);
  }
}

TEST(BlockRefusalTest, MistakeNamesItsOffset) {
  Bytes bytes = PageExample("formats/codec.md", "block");
  bytes[6] |= std::byte{0x80};
  auto decoded = DecodeBlocks(bytes);
  ASSERT_NE(decoded.error(), nullptr);
  EXPECT_EQ(decoded.error()->message(), "block: a form with unknown bits at byte 7");
}

TEST(BlockRefusalTest, UnknownVersionAndPackingAreRefused) {
  EXPECT_EQ(CodeOf(Bytes{std::byte{2}, std::byte{0}, std::byte{0}}), Code::kCorrupt);
  EXPECT_EQ(CodeOf(Bytes{std::byte{1}, std::byte{2}, std::byte{0}}), Code::kCorrupt);
}

// The page's block with `bytes` instead of what stands from `at` on, to `until`.
Bytes Forged(std::size_t at, std::size_t until, std::initializer_list<int> bytes) {
  const Bytes page = PageExample("formats/codec.md", "block");
  const auto where = [&](std::size_t offset) {
    return page.begin() + static_cast<std::ptrdiff_t>(offset);
  };
  Bytes forged(page.begin(), where(at));
  for (const int byte : bytes) {
    forged.push_back(static_cast<std::byte>(byte));
  }
  forged.insert(forged.end(), where(until), page.end());
  return forged;
}

TEST(BlockRefusalTest, ForgeryFindsItsPlaceInThePage) {
  EXPECT_EQ(CodeOf(Forged(0, 0, {})), Code::kOk);
}

// A step counts from 1: a key that stays or falls can only be tried by one that wraps around.
TEST(BlockRefusalTest, ChannelSaidTwiceOrBeforeTheFirstIsRefused) {
  EXPECT_EQ(CodeOf(Forged(6, 7, {0x10, 0x01})), Code::kCorrupt);
  EXPECT_EQ(CodeOf(Forged(8, 10, {0x11, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F})),
            Code::kCorrupt);
  EXPECT_EQ(CodeOf(Forged(8, 10, {0x11, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1})),
            Code::kCorrupt);
}

TEST(BlockRefusalTest, StepThatNeedNotBeWrittenIsRefused) {
  EXPECT_EQ(CodeOf(Forged(8, 10, {0x11, 0x05})), Code::kCorrupt);
}

TEST(BlockRefusalTest, AbsencesThatDoNotAddUpAreRefused) {
  EXPECT_EQ(CodeOf(Forged(23, 26, {0x08, 0x09, 0x20})), Code::kCorrupt);  // six rows
  EXPECT_EQ(CodeOf(Forged(23, 26, {0x28})), Code::kCorrupt);              // none absent
  EXPECT_EQ(CodeOf(Forged(23, 26, {0x08, 0x01, 0x18})), Code::kCorrupt);  // no length
  EXPECT_EQ(CodeOf(Forged(23, 26, {0x08, 0x0F, 0x18})), Code::kCorrupt);  // reason 7
  EXPECT_EQ(CodeOf(Forged(23, 26, {0x09, 0x09, 0x18})), Code::kCorrupt);  // two alike
  EXPECT_EQ(CodeOf(Forged(23, 26, {0x09, 0x20})), Code::kOk);             // still five rows
}

TEST(BlockRefusalTest, BitsAfterTheLastNumberAreRefused) {
  EXPECT_EQ(CodeOf(Forged(33, 34, {0x1a})), Code::kCorrupt);
}

TEST(BlockLimitTest, EachLimitIsExhaustedNotCorrupt) {
  const Bytes bytes =
      EncodeBlocks(std::vector<Block>{RobotMaker(2).Make(30), PageBlock()}, Packing::kZstd);
  const auto code_with = [&](auto change) {
    BlockLimits limits;
    change(limits);
    return CodeOf(bytes, limits);
  };
  EXPECT_EQ(code_with([](BlockLimits& l) { l.blocks = 1; }), Code::kExhausted);
  EXPECT_EQ(code_with([](BlockLimits& l) { l.rows = 29; }), Code::kExhausted);
  EXPECT_EQ(code_with([](BlockLimits& l) { l.columns = 62; }), Code::kExhausted);
  EXPECT_EQ(code_with([](BlockLimits& l) { l.cells = 30 * 61 + 5 * 4 - 1; }), Code::kExhausted);
  EXPECT_EQ(code_with([](BlockLimits& l) { l.unpacked_bytes = 1000; }), Code::kExhausted);
  EXPECT_EQ(code_with([](BlockLimits& l) {
              l = {.blocks = 2, .rows = 30, .columns = 63, .cells = 30 * 61 + 5 * 4};
            }),
            Code::kOk);
}

TEST(BlockLimitTest, RowCountThatNothingBacksAllocatesNothing) {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.U8(1);
  writer.U8(0);
  writer.Varint(1);
  writer.Varint(0);
  writer.Varint(~std::uint64_t{0});
  writer.Varint(~std::uint64_t{0});
  EXPECT_EQ(CodeOf(bytes), Code::kExhausted);
}

}  // namespace
}  // namespace tacho
