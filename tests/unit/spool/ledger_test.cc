// Pages that survive cuts, and the ledger in them.
#include "daemon/spool/ledger.h"

#include <gtest/gtest.h>

#include "daemon/spool/boot_record.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/page_example.h"
#include "tests/support/spool_world.h"

namespace tacho {
namespace {

constexpr std::uint64_t kLedgerMagic = 0x5245'4744'454c'4354;

StreamKey Stream(std::uint64_t epoch, Tier tier = Tier::kSummaries) {
  return {TestBoot(1), Epoch{epoch}, tier};
}

TEST(PagePair, ReadsAndWritesThePagesExample) {
  Bytes page = PageExample("formats/spool.md", "page");
  page.resize(kPageBytes - 8);
  const Bytes check = PageExample("formats/spool.md", "page-check");
  page.insert(page.end(), check.begin(), check.end());
  const auto decoded = DecodePage(kLedgerMagic, page);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->generation, 3u);
  EXPECT_EQ(decoded->value, PageExample("formats/spool.md", "ledger"));
  EXPECT_EQ(EncodePage(kLedgerMagic, 3, decoded->value), page);
}

TEST(PagePair, KeepsTheOlderValueWhenAWriteIsCutAnywhere) {
  for (std::int64_t bytes = 1; bytes < static_cast<std::int64_t>(kPageBytes); bytes += 7) {
    FaultyDisk disk;
    PagePair pages("/file", 1, disk);
    ASSERT_TRUE(pages.OpenToWrite(Disk::Access::kCreate).ok());
    ASSERT_TRUE(pages.Store(Payload(3000, std::byte{1})).ok());
    ASSERT_TRUE(pages.Store(Payload(3000, std::byte{2})).ok());
    disk.KillAfter(bytes);
    EXPECT_FALSE(pages.Store(Payload(3000, std::byte{3})).ok());
    disk.Heal();
    PagePair again("/file", 1, disk);
    const auto value = again.Load();
    ASSERT_TRUE(value.ok());
    ASSERT_TRUE(value->has_value());
    ASSERT_EQ(**value, Payload(3000, std::byte{2})) << bytes;
  }
}

TEST(PagePair, SeesEveryBitFlip) {
  std::vector<std::byte> page = EncodePage(1, 5, Payload(20, std::byte{7}));
  for (std::size_t bit = 0; bit < 8 * page.size(); bit += 3) {
    page[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
    EXPECT_FALSE(DecodePage(1, page).has_value()) << bit;
    page[bit / 8] ^= static_cast<std::byte>(1u << (bit % 8));
  }
}

TEST(PagePair, HoldsNothingWhereThereIsNoFile) {
  FaultyDisk disk;
  const auto value = PagePair("/file", 1, disk).Load();
  ASSERT_TRUE(value.ok());
  EXPECT_FALSE(value->has_value());
}

TEST(BootRecord, ReadsAndWritesThePagesExample) {
  const Bytes bytes = PageExample("formats/spool.md", "boot");
  const auto record = DecodeBootRecord(bytes);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->boot.ToString(), "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9");
  EXPECT_EQ(record->counter, 118u);
  EXPECT_EQ(record->state, RecorderState::kClean);
  EXPECT_EQ(Encode(*record), bytes);
}

TEST(Ledger, ReadsAndWritesThePagesExample) {
  const Bytes bytes = PageExample("formats/spool.md", "ledger");
  const auto entries = DecodeLedger(bytes);
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries->size(), 1u);
  EXPECT_EQ(entries->front().through, Seq{11});
  EXPECT_EQ(EncodeLedger(*entries), bytes);
}

TEST(Ledger, RefusesMoreEntriesThanAPageHolds) {
  Bytes bytes;
  ByteWriter(bytes).Varint(1'000'000);
  EXPECT_FALSE(DecodeLedger(bytes).ok());
  EXPECT_LE(EncodeLedger(std::vector<LedgerEntry>(kMaxLedgerEntries)).size(), kMaxPageValue);
}

TEST(Ledger, TellsReadersWhatIsAcknowledged) {
  FaultyDisk disk;
  LedgerReader reader("/spool", disk);
  ASSERT_TRUE(reader.Refresh().ok());
  EXPECT_EQ(reader.through(Stream(1)), Seq{});
  Ledger ledger("/spool", disk);
  ASSERT_TRUE(ledger.Open().ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(1), Seq{5}).ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(2), Seq{7}).ok());
  ASSERT_TRUE(reader.Refresh().ok());
  EXPECT_EQ(reader.through(Stream(1)), Seq{5});
  EXPECT_EQ(reader.through(Stream(2)), Seq{7});
  EXPECT_EQ(reader.through(Stream(1, Tier::kEvents)), Seq{});
}

TEST(Ledger, NeverGoesBack) {
  FaultyDisk disk;
  Ledger ledger("/spool", disk);
  ASSERT_TRUE(ledger.Open().ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(1), Seq{5}).ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(1), Seq{3}).ok());
  EXPECT_EQ(ledger.through(Stream(1)), Seq{5});
}

TEST(Ledger, OutlivesItsWriter) {
  FaultyDisk disk;
  for (std::uint64_t i = 1; i < 10; ++i) {
    Ledger ledger("/spool", disk);
    ASSERT_TRUE(ledger.Open().ok());
    EXPECT_EQ(ledger.through(Stream(1)), Seq{i - 1});
    ASSERT_TRUE(ledger.Acknowledge(Stream(1), Seq{i}).ok());
  }
}

TEST(Ledger, ForgetsTheLongestUntouchedStreamFirst) {
  FaultyDisk disk;
  Ledger ledger("/spool", disk);
  ASSERT_TRUE(ledger.Open().ok());
  for (std::uint64_t epoch = 0; epoch < kMaxLedgerEntries; ++epoch) {
    ASSERT_TRUE(ledger.Acknowledge(Stream(epoch), Seq{1}).ok());
  }
  ASSERT_TRUE(ledger.Acknowledge(Stream(0), Seq{2}).ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(9999), Seq{1}).ok());
  EXPECT_EQ(ledger.through(Stream(0)), Seq{2});
  EXPECT_EQ(ledger.through(Stream(1)), Seq{});
  EXPECT_EQ(ledger.through(Stream(9999)), Seq{1});
}

TEST(Ledger, ForgetsStreamsThatAreGone) {
  FaultyDisk disk;
  Ledger ledger("/spool", disk);
  ASSERT_TRUE(ledger.Open().ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(1), Seq{5}).ok());
  ASSERT_TRUE(ledger.Acknowledge(Stream(2), Seq{5}).ok());
  ledger.KeepOnly(std::vector<SpooledStream>{{Stream(2), 1, Seq{1}, Seq{9}}});
  EXPECT_EQ(ledger.through(Stream(1)), Seq{});
  EXPECT_EQ(ledger.through(Stream(2)), Seq{5});
}

TEST(Ledger, CountsDamageAsNothingAcknowledged) {
  FaultyDisk disk;
  disk.Put("/spool/ledger", Payload(2 * kPageBytes, std::byte{0x5a}));
  Ledger ledger("/spool", disk);
  ASSERT_TRUE(ledger.Open().ok());
  EXPECT_EQ(ledger.through(Stream(1)), Seq{});
  ASSERT_TRUE(ledger.Acknowledge(Stream(1), Seq{5}).ok());
  LedgerReader reader("/spool", disk);
  ASSERT_TRUE(reader.Refresh().ok());
  EXPECT_EQ(reader.through(Stream(1)), Seq{5});
}

}  // namespace
}  // namespace tacho
