// A folder in which something is damaged, cut or foreign: it is named by file and offset, passed
// over, and the rest is used.
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "daemon/spool/ledger.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

constexpr std::byte kOther{0x55};

// One folder holds ten events in segment-00000 and ten summaries in segment-00001.
struct Damage {
  const char* name;
  std::function<void(FaultyDisk&)> harm;
  std::string recorder_says;  // the beginning of the one line; empty: nothing
  std::string reader_says;    // the same
  std::size_t left;           // of the twenty records
};

class SpoolDamage : public testing::TestWithParam<Damage> {
 protected:
  SpoolDamage() {
    world_.Start();
    for (int i = 0; i < 10; ++i)
      world_.Append(Tier::kEvents);
    for (int i = 0; i < 10; ++i)
      world_.Append(Tier::kSummaries);
    Ledger ledger("/spool", disk_);
    EXPECT_TRUE(ledger.Open().ok());
    EXPECT_TRUE(ledger.Acknowledge(world_.StreamOf(Tier::kEvents), Seq{1}).ok());
    world_.Kill();
  }
  static SpoolConfig Config() {
    SpoolConfig config;
    config.folder = "/spool";
    config.max_bytes = 16 * 4096;
    config.segment_bytes = 4096;
    return config;
  }
  static void ExpectOne(const std::vector<std::string>& lines, const std::string& begin) {
    if (begin.empty()) {
      EXPECT_TRUE(lines.empty()) << lines.front();
      return;
    }
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(lines[0].starts_with(begin)) << lines[0];
  }

  FaultyDisk disk_;
  SpoolWorld world_{Config(), disk_};
};

TEST_P(SpoolDamage, IsNamedAndTheRestIsUsed) {
  GetParam().harm(disk_);
  const Found found = world_.Read();
  EXPECT_EQ(found.records.size(), GetParam().left);
  ExpectOne(found.warnings, GetParam().reader_says);

  SpoolWriter& again = world_.Start();
  ExpectOne(again.TakeWarnings(), GetParam().recorder_says);
  EXPECT_FALSE(again.is_ram_only());
  for (int i = 0; i < 5; ++i)
    world_.Append(Tier::kSummaries);
  EXPECT_GE(world_.Read().records.size(), GetParam().left + 5);
  EXPECT_TRUE(again.TakeWarnings().empty()) << "it was said twice";
}

std::size_t FrameAt(std::size_t index) {
  const std::size_t frame = EncodeFrame({}, 0, {Seq{}, {}, {}, Payload(40)}).size();
  return kSegmentHeaderBytes + index * frame;
}

const Damage kDamages[] = {
    {"AHeader", [](FaultyDisk& disk) { disk.BytesOf("/spool/segment-00001")[30] ^= kOther; },
     "/spool/segment-00001: its header at byte 0 is damaged",
     "/spool/segment-00001: its header at byte 0 is damaged", 10},
    {"ARecord",
     [](FaultyDisk& disk) { disk.BytesOf("/spool/segment-00001")[FrameAt(4) + 20] ^= kOther; },
     "/spool/segment-00001: " + std::to_string(FrameAt(1) - FrameAt(0)) + " bytes at " +
         std::to_string(FrameAt(4)) + " are damaged; 1 records after seq 4 are lost",
     "/spool/segment-00001: " + std::to_string(FrameAt(1) - FrameAt(0)) + " bytes at " +
         std::to_string(FrameAt(4)) + " are damaged; 1 records after seq 4 are lost",
     19},
    {"ACutSegment",
     [](FaultyDisk& disk) { disk.BytesOf("/spool/segment-00001").resize(FrameAt(6) + 3); },
     "/spool/segment-00001: it is cut short at byte " + std::to_string(FrameAt(6) + 3) + " of 4096",
     "/spool/segment-00001: it is cut short at byte " + std::to_string(FrameAt(6) + 3) + " of 4096",
     16},
    {"AForeignFile",
     [](FaultyDisk& disk) { disk.Put("/spool/segment-00009", Payload(4096, kOther)); },
     "/spool/segment-00009: its header at byte 0 is damaged",
     "/spool/segment-00009: its header at byte 0 is damaged", 20},
    {"AFileOfAnotherName", [](FaultyDisk& disk) { disk.Put("/spool/notes", Payload(99, kOther)); },
     "", "", 20},
    {"TheBootFile", [](FaultyDisk& disk) { disk.Put("/spool/boot", Payload(8192, kOther)); },
     "/spool/boot: no whole page at byte 0 or 4096", "", 20},
    {"TheBootFileCut", [](FaultyDisk& disk) { disk.BytesOf("/spool/boot").resize(4000); }, "", "",
     20},  // its first page was never written: nothing is left of it to be damaged
};

INSTANTIATE_TEST_SUITE_P(Of, SpoolDamage, testing::ValuesIn(kDamages),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(LedgerDamage, IsNamedByTheUplinksEnd) {
  FaultyDisk disk;
  disk.Put("/spool/ledger", Payload(2 * kPageBytes, kOther));
  Ledger ledger("/spool", disk);
  ASSERT_TRUE(ledger.Open().ok());
  EXPECT_EQ(
      ledger.Complaint(),
      "/spool/ledger: no whole page at byte 0 or 4096; what it acknowledged is offered to the "
      "server again");
  FaultyDisk fresh;
  Ledger first("/spool", fresh);
  ASSERT_TRUE(first.Open().ok());
  EXPECT_EQ(first.Complaint(), "");
}

// On a real disk: what stands in the place of a file is no file.
class SpoolStrangers : public testing::Test {
 protected:
  std::unique_ptr<SpoolWriter> Open() {
    SpoolConfig config;
    config.folder = folder_.path();
    config.segment_bytes = 64 << 10;
    return SpoolWriter::Open(
        config, disk_, TestBoot(1), [this] { return ++random_; }, Seconds(0));
  }
  static void Append(SpoolWriter& writer, std::int64_t second) {
    EXPECT_TRUE(
        writer.Append(Tier::kEvents, RecordKind::kEvent, {}, Payload(40), Seconds(second)).ok());
  }

  TempFolder folder_;
  PosixDisk disk_;
  std::uint64_t random_ = 1;
};

TEST_F(SpoolStrangers, AFolderInPlaceOfTheBootFileIsNamedUntilItIsGone) {
  std::filesystem::create_directory(folder_.path() / "boot");
  const auto writer = Open();
  Append(*writer, 1);
  EXPECT_TRUE(writer->is_ram_only());
  EXPECT_EQ(writer->last_failure(),
            "cannot open " + (folder_.path() / "boot").string() + ": Is a directory");
  std::filesystem::remove(folder_.path() / "boot");
  Append(*writer, 100);
  EXPECT_FALSE(writer->is_ram_only());
  SpoolReader reader(folder_.path(), disk_);
  EXPECT_EQ(ReadAll(reader).records.size(), 2u);
}

TEST_F(SpoolStrangers, AFolderInPlaceOfASegmentOrTheLedgerIsPassedOver) {
  std::filesystem::create_directory(folder_.path() / "segment-00000");
  std::filesystem::create_directory(folder_.path() / "ledger");
  const auto writer = Open();
  Append(*writer, 1);
  EXPECT_FALSE(writer->is_ram_only());
  SpoolReader reader(folder_.path(), disk_);
  EXPECT_EQ(ReadAll(reader).records.size(), 1u);
  Ledger ledger(folder_.path(), disk_);
  EXPECT_NE(ledger.Open().message().find("Is a directory"), std::string::npos);
}

// A pipe would be waited for until somebody writes to it.
TEST_F(SpoolStrangers, APipeInPlaceOfTheLedgerHoldsNobodyUp) {
  ASSERT_EQ(::mkfifo((folder_.path() / "ledger").c_str(), 0600), 0);
  const auto writer = Open();
  Append(*writer, 1);
  EXPECT_EQ(writer->CountUnacknowledged(), 1u);
}

}  // namespace
}  // namespace tacho
