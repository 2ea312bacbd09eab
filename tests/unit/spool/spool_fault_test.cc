// A disk that fails, is full or loses power: whatever was appended is read back or a gap tells of
// it.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "daemon/spool/ledger.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"

namespace tacho {
namespace {

using Call = FaultyDisk::Call;

SpoolConfig SmallSpool() {
  SpoolConfig config;
  config.folder = "/spool";
  config.max_bytes = 10 * 4096;
  config.segment_bytes = 4096;
  config.ram_bytes = 8 << 10;
  return config;
}

// Two boots with enough records for many evictions, acknowledgements and dictionaries among them.
void LiveThrough(SpoolWorld& world, FaultyDisk& disk) {
  for (std::uint8_t boot = 1; boot <= 2; ++boot) {
    world.Start(boot);
    world.AppendAs(Tier::kEvents, RecordKind::kBoot, Payload(20, std::byte{boot}));
    world.AppendAs(Tier::kEvents, RecordKind::kDictionary, Payload(200, std::byte{boot}));
    for (int i = 0; i < 150; ++i) {
      world.Append(i % 10 == 0 ? Tier::kEvents : Tier::kSummaries, 200);
      if (i % 25 == 0) world.Append(Tier::kCaptures, 2000);
      // A sync that fails is what some of the tests are about.
      if (i % 5 == 0) (void)world.Sync();
      if (i == 60) {
        Ledger ledger("/spool", disk);
        (void)ledger.Acknowledge(world.StreamOf(Tier::kSummaries), Seq{30});
      }
    }
    // What is in memory alone dies with a recorder, and no gap can tell of it.
    for (int i = 0; i < 50 && world.writer().is_ram_only(); ++i) {
      world.Pass(60);
      world.Append(Tier::kEvents);
    }
  }
}

// After the disk has worked again for a while, nothing is in memory alone.
void Recover(SpoolWorld& world, FaultyDisk& disk) {
  disk.Heal();
  world.Pass(3600);
  world.Append(Tier::kEvents);
  EXPECT_TRUE(world.Sync().ok());
  EXPECT_FALSE(world.writer().is_ram_only());
}

int CallsOf(Call call) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  LiveThrough(world, disk);
  return disk.calls[call];
}

TEST(SpoolFault, LosesNothingUntoldWithoutAnyFault) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  LiveThrough(world, disk);
  EXPECT_GT(world.writer().counters().evicted_records, 0u);
  // Records of the first boot that were acknowledged may be gone without a gap.
  Found found = world.Read();
  for (const auto& [key, payload] : world.produced()) {
    if (key.first.tier == Tier::kSummaries) found.gaps[key.first].Add({Seq{1}, 30});
  }
  world.ExpectSound(found);
}

class EveryCallFails : public ::testing::TestWithParam<std::pair<Call, int>> {};

TEST_P(EveryCallFails, AndNothingIsLostUntold) {
  const auto [call, more] = GetParam();
  const int count = CallsOf(call);
  ASSERT_GT(count, 0);
  // Long outages overlap, so that every third beginning is enough.
  for (int n = 1; n <= count; n += more == 0 ? 1 : 3) {
    SCOPED_TRACE("call " + std::to_string(n) + " of " + std::to_string(count));
    FaultyDisk disk;
    SpoolWorld world(SmallSpool(), disk);
    disk.FailNth(call, n, more);
    LiveThrough(world, disk);
    Recover(world, disk);
    Found found = world.Read();
    for (const auto& [key, payload] : world.produced()) {
      if (key.first.tier == Tier::kSummaries) found.gaps[key.first].Add({Seq{1}, 30});
    }
    world.ExpectAccounted(world.produced(), found);
    world.ExpectNothingFalse(found);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(SpoolFault, EveryCallFails,
                         ::testing::Values(std::pair(Call::kOpen, 0), std::pair(Call::kRead, 0),
                                           std::pair(Call::kWrite, 0), std::pair(Call::kWrite, 1),
                                           std::pair(Call::kWrite, 20), std::pair(Call::kSync, 0),
                                           std::pair(Call::kSync, 1), std::pair(Call::kSync, 20),
                                           std::pair(Call::kFill, 0), std::pair(Call::kFill, 30),
                                           std::pair(Call::kList, 0), std::pair(Call::kFolder, 0)));

TEST(SpoolFault, KeepsRecordsInMemoryWhileTheDiskRefusesAtTheStart) {
  FaultyDisk disk;
  disk.FailAlways(Call::kFolder);
  SpoolWorld world(SmallSpool(), disk);
  EXPECT_TRUE(world.Start().is_ram_only());
  EXPECT_EQ(world.writer().boot_counter(), 0u);
  EXPECT_FALSE(world.writer().last_failure().empty());
  for (int i = 0; i < 10; ++i) {
    world.Append(Tier::kSummaries);
  }
  EXPECT_FALSE(world.Sync().ok());
  Recover(world, disk);
  EXPECT_EQ(world.writer().boot_counter(), 1u);
  world.ExpectSound(world.Read());
}

TEST(SpoolFault, DropsTheOldestWhenMemoryIsFullAndTellsOfIt) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  world.Start();
  world.Append(Tier::kEvents);
  disk.FailAlways(Call::kWrite);
  for (int i = 0; i < 200; ++i) {
    world.Append(Tier::kSummaries, 100);
  }
  EXPECT_GT(world.writer().counters().ram_dropped_records, 0u);
  Recover(world, disk);
  const Found found = world.Read();
  world.ExpectSound(found);
  EXPECT_TRUE(found.IsGap({world.StreamOf(Tier::kSummaries), Seq{1}}));
  EXPECT_FALSE(found.IsGap({world.StreamOf(Tier::kSummaries), Seq{200}}));
}

TEST(SpoolFault, AsksARefusingDiskLessAndLessOften) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  world.Start();
  world.Append(Tier::kEvents);
  disk.FailAlways(Call::kWrite);
  for (int i = 0; i < 600; ++i) {
    world.Append(Tier::kEvents, 10);
  }
  EXPECT_LT(world.writer().counters().write_failures, 50u);
  EXPECT_GT(world.writer().counters().write_failures, 5u);
}

TEST(SpoolFault, WritesUnsyncedRecordsAgainAfterAFailedSyncAndNeverSyncsThatFileAgain) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  world.Start();
  world.Append(Tier::kSummaries);
  ASSERT_TRUE(world.Sync().ok());
  world.Append(Tier::kSummaries);
  disk.FailNth(Call::kSync, 1);
  EXPECT_TRUE(world.Sync().ok());
  EXPECT_EQ(world.writer().counters().sync_failures, 1u);
  disk.CutPower([] { return false; });
  const Found found = world.Read();
  world.ExpectSound(found);
  EXPECT_EQ(found.records.size(), 2u);
}

TEST(SpoolFault, BeginsAnEpochAfterADeathWithoutADisk) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  const Epoch epoch = world.Start().epoch();
  world.Append(Tier::kSummaries);
  disk.FailNth(Call::kSync, 1, 3);
  EXPECT_FALSE(world.Sync().ok());
  world.Kill();
  disk.Heal();
  EXPECT_NE(world.Start().epoch(), epoch);
}

TEST(SpoolFault, ContinuesTheEpochOnceAllIsProvenAgain) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  const Epoch epoch = world.Start().epoch();
  world.Append(Tier::kSummaries);
  disk.FailNth(Call::kSync, 1, 3);
  EXPECT_FALSE(world.Sync().ok());
  Recover(world, disk);
  world.Kill();
  EXPECT_EQ(world.Start().epoch(), epoch);
  world.Append(Tier::kSummaries);
  world.ExpectSound(world.Read());
}

TEST(SpoolFault, LivesWithinTheSpaceThatTheDiskHas) {
  FaultyDisk disk;
  disk.LimitSpace(2 * 8192 + 5 * 4096);
  SpoolWorld world(SmallSpool(), disk);
  world.Start();
  for (int i = 0; i < 300; ++i) {
    world.Append(i % 10 == 0 ? Tier::kEvents : Tier::kSummaries, 200);
  }
  EXPECT_FALSE(world.writer().is_ram_only());
  world.ExpectSound(world.Read());
}

// What a recorder does until it dies.
struct Work {
  int records = 60;
  std::size_t size = 100;
};

void WorkOn(SpoolWorld& world, FaultyDisk& disk, const Work& work, RecordKey& unfinished) {
  for (int i = 0; i < work.records && !disk.is_dead(); ++i) {
    const Tier tier = i % 3 == 0 ? Tier::kEvents : Tier::kSummaries;
    unfinished = {world.StreamOf(tier), world.Append(tier, work.size)};
    if (i % 5 == 0 && !disk.is_dead()) (void)world.Sync();
  }
}

// Everything dies after `bytes` written bytes, then a recorder starts again.
void DieAfter(std::int64_t bytes, const Work& work, bool cuts_power) {
  FaultyDisk disk;
  SpoolWorld world(SmallSpool(), disk);
  world.Start(1);
  disk.KillAfter(bytes);
  RecordKey unfinished;
  WorkOn(world, disk, work, unfinished);
  const bool was_killed = disk.is_dead();
  world.Kill();
  disk.Heal();
  std::mt19937_64 random(static_cast<std::uint64_t>(bytes));
  if (cuts_power) disk.CutPower([&] { return random() % 2 == 0; });
  // The Append that was cut short never returned: its record may be there or not.
  const Found at_start = world.Read();
  world.ExpectNothingFalse(at_start);
  auto expected = cuts_power ? world.synced() : world.produced();
  if (was_killed) expected.erase(unfinished);
  for (const auto& [key, payload] : std::map(world.produced())) {
    if (!at_start.records.contains(key)) world.Forget(key);
  }
  SpoolWorld::ExpectAccounted(expected, at_start);
  world.Start(cuts_power ? 2 : 1);
  RecordKey last;
  WorkOn(world, disk, {10, 100}, last);
  const Found found = world.Read();
  SpoolWorld::ExpectAccounted(expected, found);
  SpoolWorld::ExpectNoHoles(found);
  world.ExpectNothingFalse(found);
}

TEST(SpoolFault, AKillAtAnyByteLosesNothingThatWasAppended) {
  // Before the first record, files are made and filled with zeros.
  constexpr std::int64_t kFirstRecord = 3 * 4096;
  for (std::int64_t bytes = 1; bytes < kFirstRecord + 700; bytes += bytes < kFirstRecord ? 61 : 1) {
    SCOPED_TRACE("killed after " + std::to_string(bytes) + " bytes");
    DieAfter(bytes, {}, false);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SpoolFault, AKillWhileEvictingLosesNothingUntold) {
  for (std::int64_t bytes = 78000; bytes < 118000; bytes += 97) {
    SCOPED_TRACE("killed after " + std::to_string(bytes) + " bytes");
    DieAfter(bytes, {.records = 400, .size = 200}, false);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SpoolFault, APowerCutAtAnyByteLosesNothingThatWasSynced) {
  for (std::int64_t bytes = 1; bytes < 40000; bytes += 29) {
    SCOPED_TRACE("cut after " + std::to_string(bytes) + " bytes");
    DieAfter(bytes, {}, true);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SpoolFault, APowerCutWhileEvictingLosesNothingSyncedUntold) {
  for (std::int64_t bytes = 78000; bytes < 118000; bytes += 97) {
    SCOPED_TRACE("cut after " + std::to_string(bytes) + " bytes");
    DieAfter(bytes, {.records = 400, .size = 200}, true);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace tacho
