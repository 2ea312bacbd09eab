// What the writer promises on a disk that works.
#include "daemon/spool/spool_writer.h"

#include <gtest/gtest.h>

#include "daemon/spool/ledger.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"

namespace tacho {
namespace {

class SpoolWriterTest : public ::testing::Test {
 protected:
  static SpoolConfig Config() {
    SpoolConfig config;
    config.folder = "/spool";
    config.max_bytes = 16 * 4096;
    config.segment_bytes = 4096;
    config.ram_bytes = 64 << 10;
    return config;
  }

  FaultyDisk disk_;
  SpoolWorld world_{Config(), disk_};
};

TEST_F(SpoolWriterTest, GivesBackWhatWasAppended) {
  world_.Start();
  world_.Append(Tier::kEvents);
  for (int i = 0; i < 10; ++i) {
    world_.Append(Tier::kSummaries);
  }
  const Found found = world_.Read();
  EXPECT_EQ(found.records.size(), 11u);
  world_.ExpectSound(found);
  EXPECT_TRUE(found.warnings.empty());
}

TEST_F(SpoolWriterTest, NumbersEachStreamFromOne) {
  world_.Start();
  EXPECT_EQ(world_.Append(Tier::kEvents), Seq{1});
  EXPECT_EQ(world_.Append(Tier::kSummaries), Seq{1});
  EXPECT_EQ(world_.Append(Tier::kSummaries), Seq{2});
}

TEST_F(SpoolWriterTest, KeepsKindAndDictionaryOfARecord) {
  world_.Start();
  world_.AppendAs(Tier::kEvents, RecordKind::kRun, Payload(3));
  const DictionaryHash other{0x1122334455667788};
  ASSERT_TRUE(world_.writer()
                  .Append(Tier::kEvents, RecordKind::kEvent, other, Payload(3), world_.now())
                  .ok());
  ASSERT_TRUE(
      world_.writer().Append(Tier::kEvents, RecordKind::kBoot, {}, Payload(3), world_.now()).ok());
  const Found found = world_.Read();
  const StreamKey events = world_.StreamOf(Tier::kEvents);
  EXPECT_EQ(found.records.at({events, Seq{1}}).kind, RecordKind::kRun);
  EXPECT_EQ(found.records.at({events, Seq{1}}).dictionary, DictionaryHash{77});
  EXPECT_EQ(found.records.at({events, Seq{2}}).dictionary, other);
  EXPECT_EQ(found.records.at({events, Seq{3}}).dictionary, DictionaryHash{});
}

TEST_F(SpoolWriterTest, RefusesAPayloadThatNoSegmentHolds) {
  SpoolWriter& writer = world_.Start();
  const Payload most(writer.max_payload());
  EXPECT_TRUE(writer.Append(Tier::kSummaries, RecordKind::kSummary, {}, most, world_.now()).ok());
  const Payload more(writer.max_payload() + 1);
  const auto refused =
      writer.Append(Tier::kSummaries, RecordKind::kSummary, {}, more, world_.now());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error()->code(), Code::kInvalid);
  EXPECT_EQ(world_.Read().records.size(), 1u);
}

TEST_F(SpoolWriterTest, ContinuesTheEpochAfterAKillInTheSameBoot) {
  const Epoch epoch = world_.Start().epoch();
  world_.Append(Tier::kEvents);
  world_.Append(Tier::kSummaries);
  world_.Kill();
  SpoolWriter& again = world_.Start();
  EXPECT_EQ(again.epoch(), epoch);
  EXPECT_FALSE(again.is_new_epoch());
  EXPECT_EQ(world_.Append(Tier::kSummaries), Seq{2});
  EXPECT_EQ(again.previous_end(), PreviousEnd::kUnclean);
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolWriterTest, AppendsToTheSameSegmentAfterAKill) {
  world_.Start();
  world_.Append(Tier::kEvents);
  const int fills = disk_.calls[FaultyDisk::Call::kFill];
  for (int i = 0; i < 5; ++i) {
    world_.Kill();
    world_.Start();
    world_.Append(Tier::kEvents);
  }
  EXPECT_EQ(disk_.calls[FaultyDisk::Call::kFill], fills);
  EXPECT_EQ(world_.Read().records.size(), 6u);
}

TEST_F(SpoolWriterTest, BeginsAnEpochInANewBoot) {
  const Epoch epoch = world_.Start(1).epoch();
  world_.Append(Tier::kEvents);
  SpoolWriter& again = world_.Start(2);
  EXPECT_NE(again.epoch(), epoch);
  EXPECT_TRUE(again.is_new_epoch());
  EXPECT_EQ(world_.Append(Tier::kEvents), Seq{1});
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolWriterTest, BeginsAnEpochWhenTheTailIsDamaged) {
  const Epoch epoch = world_.Start().epoch();
  world_.Append(Tier::kEvents);
  world_.Kill();
  disk_.BytesOf("/spool/segment-00000")[kSegmentHeaderBytes + 20] ^= std::byte{1};
  EXPECT_NE(world_.Start().epoch(), epoch);
}

TEST_F(SpoolWriterTest, BeginsAnEpochWhenTheServerHasMoreThanTheSpool) {
  const Epoch epoch = world_.Start().epoch();
  world_.Append(Tier::kEvents);
  Ledger ledger("/spool", disk_);
  ASSERT_TRUE(ledger.Open().ok());
  ASSERT_TRUE(ledger.Acknowledge(world_.StreamOf(Tier::kEvents), Seq{2}).ok());
  world_.Kill();
  EXPECT_NE(world_.Start().epoch(), epoch);
}

TEST_F(SpoolWriterTest, BeginsAnEpochWhenAHeaderIsDamaged) {
  const Epoch epoch = world_.Start().epoch();
  world_.Append(Tier::kEvents);
  world_.Append(Tier::kSummaries);
  world_.Kill();
  disk_.BytesOf("/spool/segment-00001")[30] ^= std::byte{1};
  SpoolWriter& again = world_.Start();
  EXPECT_NE(again.epoch(), epoch);
  EXPECT_EQ(again.counters().damaged_segments, 1u);
}

TEST_F(SpoolWriterTest, TellsWhatIsMissingBetweenTheFramesOfADamagedTail) {
  world_.Start();
  for (int i = 0; i < 5; ++i) {
    world_.Append(Tier::kEvents);
  }
  const StreamKey stream = world_.StreamOf(Tier::kEvents);
  world_.Kill();
  const std::size_t frame = EncodeFrame({}, 0, {Seq{}, {}, {}, Payload(40)}).size();
  disk_.BytesOf("/spool/segment-00000")[kSegmentHeaderBytes + frame + 10] ^= std::byte{1};
  world_.Start();
  world_.Append(Tier::kEvents);
  const Found found = world_.Read();
  EXPECT_FALSE(found.records.contains({stream, Seq{2}}));
  EXPECT_TRUE(found.IsGap({stream, Seq{2}}));
  world_.ExpectSound(found);
}

TEST_F(SpoolWriterTest, WritesTheCallersRecordFirstInAnEpoch) {
  world_.Start(1);
  for (int i = 0; i < 1000; ++i) {
    world_.Append(Tier::kSummaries);
  }
  world_.Start(2);
  world_.AppendAs(Tier::kEvents, RecordKind::kBoot, Payload(10));
  const Found found = world_.Read();
  EXPECT_EQ(found.records.at({world_.StreamOf(Tier::kEvents), Seq{1}}).kind, RecordKind::kBoot);
}

TEST_F(SpoolWriterTest, CountsBootsAndNotRestarts) {
  EXPECT_EQ(world_.Start(1).boot_counter(), 1u);
  EXPECT_EQ(world_.Start(1).boot_counter(), 1u);
  EXPECT_EQ(world_.Start(2).boot_counter(), 2u);
  EXPECT_EQ(world_.Start(3).boot_counter(), 3u);
}

TEST_F(SpoolWriterTest, TakesTheBootCounterFromSegmentsWhenItsFileIsLost) {
  world_.Start(1);
  world_.Start(2);
  world_.Append(Tier::kEvents);
  world_.Kill();
  disk_.BytesOf("/spool/boot").assign(8192, std::byte{9});
  EXPECT_EQ(world_.Start(3).boot_counter(), 3u);
}

TEST_F(SpoolWriterTest, TellsACleanEndFromAKill) {
  EXPECT_EQ(world_.Start(1).previous_end(), PreviousEnd::kUnknown);
  world_.Append(Tier::kEvents);
  ASSERT_TRUE(world_.writer().Close(world_.now()).ok());
  EXPECT_EQ(world_.Start(1).previous_end(), PreviousEnd::kClean);
  world_.Append(Tier::kEvents);
  EXPECT_EQ(world_.Start(2).previous_end(), PreviousEnd::kUnclean);
}

TEST_F(SpoolWriterTest, CountsWhatIsNotAcknowledged) {
  world_.Start(1);
  for (int i = 0; i < 100; ++i) {
    world_.Append(Tier::kSummaries);
  }
  Ledger ledger("/spool", disk_);
  ASSERT_TRUE(ledger.Open().ok());
  ASSERT_TRUE(ledger.Acknowledge(world_.StreamOf(Tier::kSummaries), Seq{90}).ok());
  EXPECT_EQ(world_.writer().CountUnacknowledged(), 10u);
  EXPECT_EQ(world_.writer().counters().bytes_used, 4096);
  EXPECT_EQ(world_.Start(2).CountUnacknowledged(), 10u);
}

TEST_F(SpoolWriterTest, SyncsOnlyWhatIsDirty) {
  world_.Start();
  world_.Append(Tier::kEvents);
  ASSERT_TRUE(world_.Sync().ok());
  const int syncs = disk_.calls[FaultyDisk::Call::kSync];
  ASSERT_TRUE(world_.Sync().ok());
  EXPECT_EQ(disk_.calls[FaultyDisk::Call::kSync], syncs);
  world_.Append(Tier::kSummaries);
  ASSERT_TRUE(world_.Sync().ok());
  EXPECT_EQ(disk_.calls[FaultyDisk::Call::kSync], syncs + 1);
}

}  // namespace
}  // namespace tacho
