// Somebody removes the spool's files under a running recorder: what can be kept is kept, and of
// what is lost a gap tells.
#include <filesystem>
#include <gtest/gtest.h>

#include "daemon/spool/ledger.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

SpoolConfig SmallSpool(const std::filesystem::path& folder) {
  SpoolConfig config;
  config.folder = folder;
  config.max_bytes = 20 * 4096;
  config.segment_bytes = 4096;
  config.ram_bytes = 8 << 10;
  return config;
}

class SpoolLost : public ::testing::Test {
 protected:
  // Some segments of each of two tiers, all synced.
  void Fill() {
    world_.Start();
    for (int i = 0; i < 40; ++i)
      world_.Append(i % 4 == 0 ? Tier::kEvents : Tier::kSummaries, 200);
    ASSERT_TRUE(world_.Sync().ok());
  }
  void GoOn() {
    for (int i = 0; i < 10; ++i)
      world_.Append(i % 4 == 0 ? Tier::kEvents : Tier::kSummaries, 200);
    ASSERT_TRUE(world_.Sync().ok());
    EXPECT_FALSE(world_.writer().is_ram_only());
  }
  const SpoolCounters& counters() { return world_.writer().counters(); }

  FaultyDisk disk_;
  SpoolWorld world_{SmallSpool("/spool"), disk_};
};

TEST_F(SpoolLost, AllFilesGoneIsNoticedAtTheNextSyncAndToldAsGaps) {
  Fill();
  disk_.TakeAway([](const std::string&) { return true; });
  world_.Append(Tier::kSummaries);
  GoOn();
  const Found found = world_.Read();
  world_.ExpectSound(found);
  EXPECT_EQ(counters().lost_records, 40u);
  EXPECT_GT(counters().lost_segments, 2u);
  EXPECT_TRUE(found.IsGap({world_.StreamOf(Tier::kSummaries), Seq{1}}));
  EXPECT_FALSE(found.IsGap({world_.StreamOf(Tier::kSummaries), Seq{31}})) << "it was in memory yet";
}

TEST_F(SpoolLost, WhatTheServerHasIsNoLoss) {
  Fill();
  Ledger ledger("/spool", disk_);
  ASSERT_TRUE(ledger.Acknowledge(world_.StreamOf(Tier::kSummaries), Seq{25}).ok());
  disk_.TakeAway([](const std::string& path) { return !path.ends_with("ledger"); });
  GoOn();
  EXPECT_EQ(counters().lost_records, 40u - 25u);
  EXPECT_FALSE(world_.Read().IsGap({world_.StreamOf(Tier::kSummaries), Seq{25}}));
}

TEST_F(SpoolLost, SealedSegmentIsMissedWhenTheFolderIsLookedThrough) {
  Fill();
  const std::string path = "/spool/segment-00000";
  disk_.TakeAway([&](const std::string& each) { return each == path; });
  world_.writer().LookForLost();
  GoOn();
  EXPECT_EQ(counters().lost_segments, 1u);
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolLost, EachFileAloneMayGo) {
  Fill();
  const auto names = disk_.List("/spool");
  ASSERT_TRUE(names.ok());
  for (const std::string& name : *names) {
    SCOPED_TRACE(name);
    disk_.TakeAway([&](const std::string& path) { return path == "/spool/" + name; });
    world_.writer().LookForLost();
    GoOn();
    world_.ExpectAccounted(world_.produced(), world_.Read());
    EXPECT_TRUE(disk_.Has("/spool/boot"));
    if (HasFailure()) return;
  }
}

TEST_F(SpoolLost, AllThatCanGoAtOnceGoesAgainAndAgain) {
  Fill();
  // Gap records that were lost themselves tell no more; the newest loss is always told.
  for (int i = 0; i < 5; ++i) {
    const Seq seq = world_.Append(Tier::kSummaries);
    ASSERT_TRUE(world_.Sync().ok());
    disk_.TakeAway([](const std::string&) { return true; });
    GoOn();
    EXPECT_TRUE(world_.Read().IsGap({world_.StreamOf(Tier::kSummaries), seq}));
  }
}

TEST_F(SpoolLost, SeqsAreNeverGivenTwiceByTheNextRecorder) {
  Fill();
  world_.Append(Tier::kCaptures, 100);
  ASSERT_TRUE(world_.Sync().ok());
  const Epoch epoch = world_.writer().epoch();
  disk_.TakeAway([](const std::string&) { return true; });
  // Nothing of the captures is left: the folder does not tell where they go on.
  GoOn();
  ASSERT_TRUE(world_.writer().Close(world_.now()).ok());
  world_.Start();
  EXPECT_NE(world_.writer().epoch(), epoch);
  GoOn();
}

TEST_F(SpoolLost, EpochGoesOnWhereEveryTierIsProvenAgain) {
  Fill();
  const Epoch epoch = world_.writer().epoch();
  disk_.TakeAway([](const std::string&) { return true; });
  GoOn();
  ASSERT_TRUE(world_.writer().Close(world_.now()).ok());
  world_.Start();
  EXPECT_EQ(world_.writer().epoch(), epoch);
  GoOn();
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolLost, FolderThatCannotBeMadeAgainLeavesMemory) {
  Fill();
  disk_.TakeAway([](const std::string&) { return true; });
  disk_.FailAlways(FaultyDisk::Call::kFolder);
  world_.Append(Tier::kSummaries);
  EXPECT_FALSE(world_.Sync().ok());
  EXPECT_TRUE(world_.writer().is_ram_only());
  disk_.Heal();
  world_.Pass(3600);
  GoOn();
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolLost, LastFailureIsForgottenOnceAllIsOnTheDisk) {
  Fill();
  disk_.FailAlways(FaultyDisk::Call::kWrite);
  world_.Append(Tier::kSummaries);
  EXPECT_FALSE(world_.writer().last_failure().empty());
  disk_.Heal();
  world_.Pass(3600);
  GoOn();
  EXPECT_EQ(world_.writer().last_failure(), "");
}

// The same on the machine's own disk.
class SpoolLostOnDisk : public ::testing::Test {
 protected:
  void Fill() {
    world_.Start();
    for (int i = 0; i < 30; ++i)
      world_.Append(Tier::kSummaries, 200);
    ASSERT_TRUE(world_.Sync().ok());
  }
  void ExpectRecovery() {
    world_.Append(Tier::kSummaries, 200);
    EXPECT_TRUE(world_.Sync().ok());
    EXPECT_FALSE(world_.writer().is_ram_only());
    const Found found = world_.Read();
    world_.ExpectSound(found);
    EXPECT_EQ(world_.writer().counters().lost_records, 30u);
  }

  TempFolder folder_;
  const std::filesystem::path spool_ = folder_.path() / "spool";
  PosixDisk disk_;
  SpoolWorld world_{SmallSpool(spool_), disk_};
};

TEST_F(SpoolLostOnDisk, FilesRemoved) {
  Fill();
  for (const auto& entry : std::filesystem::directory_iterator(spool_))
    std::filesystem::remove(entry.path());
  ExpectRecovery();
}

TEST_F(SpoolLostOnDisk, FolderRemoved) {
  Fill();
  std::filesystem::remove_all(spool_);
  ExpectRecovery();
}

TEST_F(SpoolLostOnDisk, FolderMovedAway) {
  Fill();
  std::filesystem::rename(spool_, folder_.path() / "old");
  ExpectRecovery();
}

TEST_F(SpoolLostOnDisk, FolderMovedAwayAndAnEmptyOneInItsPlace) {
  Fill();
  std::filesystem::rename(spool_, folder_.path() / "old");
  std::filesystem::create_directory(spool_);
  ExpectRecovery();
}

}  // namespace
}  // namespace tacho
