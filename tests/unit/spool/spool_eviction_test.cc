// What goes when the spool is full, in which order, and what is said of it.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "common/dictionary.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"

namespace tacho {
namespace {

class SpoolEviction : public ::testing::Test {
 protected:
  static SpoolConfig Config() {
    SpoolConfig config;
    config.folder = "/spool";
    config.max_bytes = 12 * 4096;
    config.segment_bytes = 4096;
    return config;
  }
  void Fill(Tier tier, int records) {
    for (int i = 0; i < records; ++i) {
      world_.Append(tier, 200);
    }
  }
  static std::set<Tier> TiersOf(const std::map<StreamKey, SeqRanges>& gaps) {
    std::set<Tier> tiers;
    for (const auto& [key, ranges] : gaps) {
      tiers.insert(key.tier);
    }
    return tiers;
  }
  void Acknowledge(Tier tier, Seq through) {
    Ledger ledger("/spool", disk_);
    ASSERT_TRUE(ledger.Open().ok());
    ASSERT_TRUE(ledger.Acknowledge(world_.StreamOf(tier), through).ok());
  }

  FaultyDisk disk_;
  SpoolWorld world_{Config(), disk_};
};

TEST_F(SpoolEviction, KeepsWithinItsLimit) {
  world_.Start();
  Fill(Tier::kSummaries, 1000);
  std::int64_t bytes = 0;
  const auto names = disk_.List("/spool");
  for (const std::string& name : *names) {
    if (IsSegmentName(name)) bytes += 4096;
  }
  EXPECT_EQ(bytes, Config().max_bytes);
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolEviction, TakesTheOldestOfATier) {
  world_.Start();
  Fill(Tier::kSummaries, 300);
  const Found found = world_.Read();
  const StreamKey summaries = world_.StreamOf(Tier::kSummaries);
  EXPECT_EQ(found.gaps.at(summaries).list().size(), 1u);
  EXPECT_EQ(found.gaps.at(summaries).list().front().first, Seq{1});
  EXPECT_TRUE(found.records.contains({summaries, Seq{300}}));
  EXPECT_EQ(world_.writer().counters().evicted_records, found.gaps.at(summaries).count());
  world_.ExpectSound(found);
}

TEST_F(SpoolEviction, TakesTheLeastImportantTierFirst) {
  world_.Start();
  Fill(Tier::kEvents, 40);
  Fill(Tier::kSummaries, 40);
  Fill(Tier::kCaptures, 40);
  Fill(Tier::kSummaries, 60);
  const Found found = world_.Read();
  EXPECT_EQ(TiersOf(found.gaps), std::set<Tier>{Tier::kCaptures});
  Fill(Tier::kSummaries, 100);
  EXPECT_FALSE(TiersOf(world_.Read().gaps).contains(Tier::kEvents));
  world_.ExpectSound(world_.Read());
}

TEST_F(SpoolEviction, TakesEventsOnlyWhenThereIsNothingElse) {
  world_.Start();
  Fill(Tier::kSummaries, 100);
  Fill(Tier::kEvents, 400);
  const Found found = world_.Read();
  EXPECT_TRUE(TiersOf(found.gaps).contains(Tier::kEvents));
  world_.ExpectSound(found);
}

TEST_F(SpoolEviction, CarriesTheGapsOfEvictedEventsOn) {
  world_.Start(1);
  Fill(Tier::kSummaries, 300);
  const StreamKey summaries = world_.StreamOf(Tier::kSummaries);
  world_.Start(2);
  Fill(Tier::kEvents, 2000);
  const Found found = world_.Read();
  EXPECT_FALSE(found.records.contains({summaries, Seq{300}}));
  EXPECT_TRUE(found.IsGap({summaries, Seq{1}}));
  EXPECT_TRUE(found.IsGap({summaries, Seq{300}}));
  world_.ExpectSound(found);
}

TEST_F(SpoolEviction, CarriesDictionariesOn) {
  world_.Start();
  const Payload dictionary(300, std::byte{5});
  world_.AppendAs(Tier::kEvents, RecordKind::kDictionary, dictionary);
  Fill(Tier::kEvents, 1000);
  const Found found = world_.Read();
  const auto copies = std::count_if(found.records.begin(), found.records.end(), [&](auto& r) {
    return r.second.kind == RecordKind::kDictionary && r.second.payload == dictionary;
  });
  EXPECT_GE(copies, 1);
  world_.ExpectSound(found);
}

TEST_F(SpoolEviction, RecyclesWhatIsAcknowledgedFirstAndSaysNothing) {
  world_.Start();
  Fill(Tier::kEvents, 20);
  Fill(Tier::kSummaries, 60);
  Acknowledge(Tier::kSummaries, Seq{60});
  Fill(Tier::kCaptures, 110);
  const Found found = world_.Read();
  EXPECT_TRUE(found.gaps.empty());
  EXPECT_EQ(world_.writer().counters().evicted_records, 0u);
}

TEST_F(SpoolEviction, NamesOnlyWhatWasNotAcknowledged) {
  world_.Start();
  Fill(Tier::kSummaries, 60);
  Acknowledge(Tier::kSummaries, Seq{25});
  Fill(Tier::kSummaries, 240);
  const auto gaps = world_.Read().gaps.at(world_.StreamOf(Tier::kSummaries)).list();
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps.front().first, Seq{26});
}

TEST_F(SpoolEviction, ShrinksToASmallerLimitAtTheStart) {
  world_.config().max_bytes = 24 * 4096;
  world_.Start(1);
  Fill(Tier::kSummaries, 600);
  world_.config().max_bytes = 10 * 4096;
  world_.Start(1);
  Fill(Tier::kEvents, 1);
  int files = 0;
  const auto names = disk_.List("/spool");
  for (const std::string& name : *names) {
    files += IsSegmentName(name) ? 1 : 0;
  }
  EXPECT_LE(files, 10);
  const Found found = world_.Read();
  EXPECT_TRUE(found.records.contains({world_.StreamOf(Tier::kSummaries), Seq{600}}));
  world_.ExpectSound(found);
}

TEST_F(SpoolEviction, KeepsReadingSegmentsOfAnotherSizeAndReplacesThem) {
  world_.Start(1);
  Fill(Tier::kSummaries, 60);
  const StreamKey old = world_.StreamOf(Tier::kSummaries);
  world_.config().segment_bytes = 2 * 4096;
  world_.config().max_bytes = 16 * 4096;
  world_.Start(1);
  Fill(Tier::kSummaries, 30);
  EXPECT_TRUE(world_.Read().records.contains({old, Seq{1}}));
  Fill(Tier::kSummaries, 600);
  world_.ExpectSound(world_.Read());
  EXPECT_EQ(disk_.BytesOf("/spool/segment-00000").size(), 8192u);
}

TEST_F(SpoolEviction, ReplacesForeignAndDamagedFilesFirst) {
  disk_.Put("/spool/segment-00003", Payload(4096, std::byte{0xab}));
  disk_.Put("/spool/segment-00004", Payload(17, std::byte{0xcd}));
  disk_.Put("/spool/segment-00005", Payload(17, std::byte{0}));  // its making was cut: no damage
  disk_.Put("/spool/notes.txt", Payload(100, std::byte{'x'}));
  world_.Start();
  EXPECT_EQ(world_.writer().counters().damaged_segments, 2u);
  Fill(Tier::kSummaries, 150);
  world_.ExpectSound(world_.Read());
  EXPECT_TRUE(world_.Read().gaps.empty());
  EXPECT_TRUE(disk_.Has("/spool/notes.txt"));
}

TEST_F(SpoolEviction, StartsOverManySegmentsByReadingOnlyTheirHeaders) {
  world_.config().max_bytes = 1000 * 4096;
  world_.Start(1);
  Fill(Tier::kSummaries, 18000);
  ASSERT_TRUE(world_.writer().Close(world_.now()).ok());
  disk_.calls.clear();
  world_.Start(2);
  EXPECT_LT(disk_.calls[FaultyDisk::Call::kRead], 1010);
}

}  // namespace
}  // namespace tacho
