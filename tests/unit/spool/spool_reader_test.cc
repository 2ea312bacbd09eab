// What a reader sees of a spool, live or dead, whole or damaged.
#include "daemon/spool/spool_reader.h"

#include <gtest/gtest.h>

#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"

namespace tacho {
namespace {

constexpr std::size_t kPayload = 40;

class SpoolReaderTest : public ::testing::Test {
 protected:
  static SpoolConfig Config() {
    SpoolConfig config;
    config.folder = "/spool";
    config.max_bytes = 16 * 4096;
    config.segment_bytes = 4096;
    return config;
  }
  std::vector<Record> Read(Tier tier, Seq after, std::size_t max_bytes = 1 << 20) {
    EXPECT_TRUE(reader_.Refresh().ok());
    return reader_.Read(world_.StreamOf(tier), after, max_bytes);
  }
  static std::size_t OffsetOf(int frame) {
    SegmentHeader header;
    header.first = Seq{1};
    header.dictionary = DictionaryHash{77};
    const Payload payload(kPayload);
    const Frame one{Seq{1}, RecordKind::kEvent, DictionaryHash{77}, payload};
    return kSegmentHeaderBytes +
           static_cast<std::size_t>(frame) * EncodeFrame(header, 0, one).size();
  }

  FaultyDisk disk_;
  SpoolWorld world_{Config(), disk_};
  SpoolReader reader_{"/spool", disk_};
};

TEST_F(SpoolReaderTest, FailsWhereTheFolderCannotBeListed) {
  disk_.FailNth(FaultyDisk::Call::kList, 1);
  EXPECT_FALSE(reader_.Refresh().ok());
}

TEST_F(SpoolReaderTest, FindsNothingInAnEmptyFolder) {
  ASSERT_TRUE(reader_.Refresh().ok());
  EXPECT_TRUE(reader_.Streams().empty());
  EXPECT_TRUE(reader_.Read({}, Seq{}, 100).empty());
}

TEST_F(SpoolReaderTest, ListsStreamsByTierThenNewestBootFirst) {
  world_.Start(9);
  world_.Append(Tier::kSummaries);
  world_.Append(Tier::kEvents);
  world_.Start(4);
  world_.Append(Tier::kEvents);
  world_.Append(Tier::kSummaries);
  const auto streams = world_.Read().streams;
  ASSERT_EQ(streams.size(), 4u);
  EXPECT_EQ(streams[0].key.tier, Tier::kEvents);
  EXPECT_EQ(streams[0].key.boot, TestBoot(4));
  EXPECT_EQ(streams[0].boot_counter, 2u);
  EXPECT_EQ(streams[1].key.boot, TestBoot(9));
  EXPECT_EQ(streams[2].key.tier, Tier::kSummaries);
  EXPECT_EQ(streams[2].key.boot, TestBoot(4));
}

TEST_F(SpoolReaderTest, StatesTheSeqsThatAStreamHolds) {
  world_.Start();
  for (int i = 0; i < 200; ++i) {
    world_.Append(Tier::kSummaries);
  }
  const auto streams = world_.Read().streams;
  ASSERT_EQ(streams.size(), 1u);
  EXPECT_EQ(streams[0].first, Seq{1});
  EXPECT_EQ(streams[0].last, Seq{200});
}

TEST_F(SpoolReaderTest, FollowsALiveWriter) {
  world_.Start();
  Seq after{};
  for (int i = 0; i < 300; ++i) {
    world_.Append(Tier::kSummaries);
    const auto records = Read(Tier::kSummaries, after);
    ASSERT_EQ(records.size(), 1u);
    after = records.front().seqs.first;
    ASSERT_EQ(after, Seq{static_cast<std::uint64_t>(i) + 1});
    ASSERT_EQ(reader_.Streams().front().last, after);
  }
  EXPECT_TRUE(reader_.TakeWarnings().empty());
}

TEST_F(SpoolReaderTest, PollsWithOneSmallReadASegmentWhenNothingIsNew) {
  world_.Start();
  for (int i = 0; i < 300; ++i) {
    world_.Append(Tier::kSummaries);
  }
  const Seq last{300};
  EXPECT_TRUE(Read(Tier::kSummaries, last).empty());
  (void)reader_.Streams();
  disk_.calls.clear();
  EXPECT_TRUE(Read(Tier::kSummaries, last).empty());
  (void)reader_.Streams();
  const auto names = disk_.List("/spool");
  EXPECT_LE(disk_.calls[FaultyDisk::Call::kRead], static_cast<int>(names->size()) + 2);
}

TEST_F(SpoolReaderTest, BoundsAReadByBytesButGivesOneRecordAtLeast) {
  world_.Start();
  for (int i = 0; i < 50; ++i) {
    world_.Append(Tier::kSummaries, kPayload);
  }
  EXPECT_EQ(Read(Tier::kSummaries, {}, 5 * kPayload).size(), 5u);
  EXPECT_EQ(Read(Tier::kSummaries, Seq{5}, 1).size(), 1u);
  EXPECT_EQ(Read(Tier::kSummaries, {}).size(), 50u);
}

TEST_F(SpoolReaderTest, GoesBackWhenAskedTo) {
  world_.Start();
  for (int i = 0; i < 150; ++i) {
    world_.Append(Tier::kSummaries);
  }
  EXPECT_EQ(Read(Tier::kSummaries, Seq{140}).size(), 10u);
  EXPECT_EQ(Read(Tier::kSummaries, Seq{20}).front().seqs.first, Seq{21});
  EXPECT_EQ(Read(Tier::kSummaries, Seq{100}).front().seqs.first, Seq{101});
}

// Each record of a long segment was looked for from the segment's beginning.
TEST(SpoolReading, OneByOneCostsTheSameForTheLastRecordAsForTheFirst) {
  FaultyDisk disk;
  SpoolConfig config;
  config.folder = "/spool";
  config.segment_bytes = 512 << 10;
  SpoolWorld world(config, disk);
  world.Start();
  for (int i = 0; i < 2000; ++i) {
    world.Append(Tier::kEvents, 200);
  }
  SpoolReader reader("/spool", disk);
  ASSERT_TRUE(reader.Refresh().ok());
  (void)reader.Streams();
  const auto read_hundred = [&](Seq after) {
    const int before = disk.calls[FaultyDisk::Call::kRead];
    for (std::uint64_t i = 0; i < 100; ++i) {
      const auto records = reader.Read(world.StreamOf(Tier::kEvents), after + i, 256 << 10, 1);
      EXPECT_EQ(records.size(), 1u);
      EXPECT_EQ(records.front().seqs.first, after + i + 1);
    }
    return disk.calls[FaultyDisk::Call::kRead] - before;
  };
  const int first = read_hundred(Seq{0});
  for (std::uint64_t after = 100; after < 1900; after += 100) {
    EXPECT_LE(read_hundred(Seq{after}), first + 100);
  }
}

TEST_F(SpoolReaderTest, PassesOverDamageInTheMiddleAndNamesIt) {
  world_.Start();
  for (int i = 0; i < 10; ++i) {
    world_.Append(Tier::kEvents, kPayload);
  }
  disk_.BytesOf("/spool/segment-00000")[OffsetOf(4) + 20] ^= std::byte{4};
  const auto before = Read(Tier::kEvents, {});
  ASSERT_EQ(before.size(), 4u);
  const auto behind = Read(Tier::kEvents, Seq{4});
  ASSERT_EQ(behind.size(), 5u);
  EXPECT_EQ(behind.front().seqs.first, Seq{6});
  const auto warnings = reader_.TakeWarnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("segment-00000"), std::string::npos);
  EXPECT_NE(warnings[0].find("1 records after seq 4 are lost"), std::string::npos);
  (void)Read(Tier::kEvents, {});
  EXPECT_TRUE(reader_.TakeWarnings().empty());
}

TEST_F(SpoolReaderTest, FindsRecordsBehindAHoleOfZeros) {
  world_.Start();
  for (int i = 0; i < 10; ++i) {
    world_.Append(Tier::kEvents, kPayload);
  }
  auto& bytes = disk_.BytesOf("/spool/segment-00000");
  for (std::size_t at = OffsetOf(3); at < OffsetOf(6); ++at) {
    bytes[at] = std::byte{};
  }
  const Found found = world_.Read();
  EXPECT_EQ(found.records.size(), 7u);
  EXPECT_EQ(found.streams.front().last, Seq{10});
}

TEST_F(SpoolReaderTest, NamesFilesThatAreNoSegmentsOfOurs) {
  disk_.Put("/spool/segment-00007", Payload(4096, std::byte{0x55}));
  SegmentHeader header;
  header.id = 5;
  header.segment_bytes = 17;
  disk_.Put("/spool/segment-00008", EncodeHeader(header));
  disk_.Put("/spool/other", Payload(10));
  ASSERT_TRUE(reader_.Refresh().ok());
  const auto warnings = reader_.TakeWarnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0],
            "/spool/segment-00007: its header at byte 0 is damaged; it is passed over");
  EXPECT_EQ(warnings[1],
            "/spool/segment-00008: its header at byte 0 is of another version; it is passed over");
}

TEST_F(SpoolReaderTest, PassesOverACopyOfASegment) {
  world_.Start();
  world_.Append(Tier::kEvents);
  disk_.Put("/spool/segment-00009", disk_.BytesOf("/spool/segment-00000"));
  const Found found = world_.Read();
  EXPECT_EQ(found.records.size(), 1u);
  ASSERT_EQ(found.warnings.size(), 1u);
}

TEST_F(SpoolReaderTest, NeverShowsRecordsOfARecycledSegment) {
  world_.Start(1);
  for (int i = 0; i < 60; ++i) {
    world_.Append(Tier::kSummaries);
  }
  ASSERT_TRUE(reader_.Refresh().ok());
  (void)reader_.Streams();
  for (int i = 0; i < 2000; ++i) {
    world_.Append(Tier::kSummaries);
  }
  const auto records = Read(Tier::kSummaries, {});
  ASSERT_FALSE(records.empty());
  EXPECT_GT(records.front().seqs.first, Seq{900});
  EXPECT_TRUE(reader_.TakeWarnings().empty());
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolReaderTest, ReadsRecordsOnceThatWereWrittenTwice) {
  world_.Start();
  for (int i = 0; i < 5; ++i) {
    world_.Append(Tier::kSummaries);
  }
  ASSERT_TRUE(world_.Sync().ok());
  for (int i = 0; i < 5; ++i) {
    world_.Append(Tier::kSummaries);
  }
  disk_.FailNth(FaultyDisk::Call::kSync, 1);
  ASSERT_TRUE(world_.Sync().ok());
  world_.Append(Tier::kSummaries);
  const Found found = world_.Read();
  EXPECT_EQ(found.records.size(), 11u);
  world_.ExpectSound(found);
}

TEST_F(SpoolReaderTest, NamesASegmentThatIsCutShortAndReadsWhatIsLeft) {
  world_.Start();
  for (int i = 0; i < 10; ++i) {
    world_.Append(Tier::kEvents, kPayload);
  }
  disk_.BytesOf("/spool/segment-00000").resize(OffsetOf(7) + 9);
  EXPECT_EQ(Read(Tier::kEvents, {}).size(), 7u);
  const auto warnings = reader_.TakeWarnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("/spool/segment-00000: it is cut short at byte " +
                                      std::to_string(OffsetOf(7) + 9) + " of "))
      << warnings[0];
}

TEST_F(SpoolReaderTest, NeverGivesAWrongRecordWhateverBitFlips) {
  world_.Start();
  for (int i = 0; i < 12; ++i) {
    world_.Append(Tier::kEvents, kPayload);
  }
  auto& bytes = disk_.BytesOf("/spool/segment-00000");
  const std::size_t end = OffsetOf(12) + kTerminatorBytes;
  for (std::size_t bit = 0; bit < 8 * end; ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    const Found found = world_.Read();
    world_.ExpectNothingFalse(found);
    const std::size_t least = bit / 8 < kSegmentHeaderBytes ? 0 : 11;
    ASSERT_GE(found.records.size(), least) << "bit " << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
}

}  // namespace
}  // namespace tacho
