// A reader at work while the writer appends, evicts and recycles.
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <thread>

#include "common/bytes.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_reader.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

constexpr std::uint64_t kRecords = 3000;

Payload PayloadOf(Seq seq) {
  Payload payload;
  ByteWriter(payload).U64(Number(seq));
  payload.resize(30 + Number(seq) % 200, static_cast<std::byte>(Number(seq)));
  return payload;
}

// Follows one stream, and the gaps that the event stream tells of.
class Follower {
 public:
  Follower(const std::filesystem::path& folder, bool acknowledges)
      : reader_(folder, disk_), ledger_(folder, disk_), acknowledges_(acknowledges) {}

  // True if anything was new.
  bool Poll() {
    EXPECT_TRUE(reader_.Refresh().ok());
    bool is_new = false;
    for (const SpooledStream& stream : reader_.Streams()) {
      Seq& after = after_[stream.key];
      for (const Record& record : reader_.Read(stream.key, after, 4096)) {
        EXPECT_GT(record.seqs.first, after);
        after = record.seqs.first;
        Take(record);
        is_new = true;
      }
      if (!acknowledges_) continue;
      EXPECT_TRUE(ledger_.Acknowledge(stream.key, after).ok());
    }
    return is_new;
  }
  const SeqRanges& accounted() const { return accounted_; }
  std::vector<std::string> TakeWarnings() { return reader_.TakeWarnings(); }

 private:
  void Take(const Record& record) {
    if (record.stream.tier == Tier::kSummaries) {
      EXPECT_EQ(record.payload, PayloadOf(record.seqs.first));
      accounted_.Add(record.seqs);
    } else if (record.kind == RecordKind::kGap) {
      const auto gap = DecodeGap(record.payload);
      ASSERT_TRUE(gap.ok());
      if (gap->stream.tier == Tier::kSummaries) accounted_.Add(gap->seqs);
    }
  }

  PosixDisk disk_;
  SpoolReader reader_;
  Ledger ledger_;
  bool acknowledges_;
  std::map<StreamKey, Seq> after_;
  SeqRanges accounted_;
};

void ReadWhileWriting(bool acknowledges) {
  const TempFolder folder;
  SpoolConfig config;
  config.folder = folder.path() / "spool";
  config.segment_bytes = 8 << 10;
  config.max_bytes = 10 * config.segment_bytes;
  PosixDisk disk;
  std::uint64_t random = 1;
  auto writer = SpoolWriter::Open(
      config, disk, TestBoot(1), [&] { return random += 0x9e3779b97f4a7c15; }, Seconds(0));
  std::atomic<bool> is_done = false;
  std::thread recorder([&] {
    for (std::uint64_t i = 1; i <= kRecords; ++i) {
      const auto seq =
          writer->Append(Tier::kSummaries, RecordKind::kSummary, {}, PayloadOf(Seq{i}), Seconds(0));
      EXPECT_TRUE(seq.ok());
    }
    is_done = true;
  });
  Follower follower(config.folder, acknowledges);
  while (!is_done) {
    follower.Poll();
  }
  recorder.join();
  while (follower.Poll()) {
  }
  EXPECT_FALSE(writer->is_ram_only());
  EXPECT_EQ(follower.accounted().through(), Seq{kRecords});
  EXPECT_THAT(follower.TakeWarnings(), ::testing::IsEmpty());
}

TEST(SpoolThreads, AReaderThatIsTooSlowMissesOnlyWhatGapsTellOf) {
  ReadWhileWriting(false);
}

TEST(SpoolThreads, AReaderThatAcknowledgesSeesEveryRecordOrItsGap) {
  ReadWhileWriting(true);
}

}  // namespace
}  // namespace tacho
