// The real spool and ledger behind the uplink.
#include "daemon/uplink/spool_source.h"

#include <gtest/gtest.h>

#include "common/codec/block.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_writer.h"
#include "daemon/uplink/uplink.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_link.h"
#include "tests/support/fake_scheduler.h"
#include "tests/support/temp_folder.h"

namespace tacho {

namespace {

constexpr std::size_t kTicks = 130;

class SpoolSourceTest : public testing::Test {
 protected:
  std::unique_ptr<SpoolWriter> OpenWriter() {
    SpoolConfig config;
    config.folder = folder_.path() / "spool";
    config.max_bytes = 4 << 20;
    return SpoolWriter::Open(
        config, disk_, boot_, [this] { return ++random_; }, BootTimeOf(0));
  }
  static void WriteTicks(SpoolWriter& writer, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      Block block;
      block.times.push_back(BootTimeOf(static_cast<std::int64_t>(i)));
      block.columns.push_back(
          {ChannelId{0}, Stat::kValue, {static_cast<std::int64_t>(i)}, {Why::kPresent}});
      const auto payload = EncodeBlocks(std::span(&block, 1), Packing::kNone);
      ASSERT_TRUE(writer
                      .Append(Tier::kSummaries, RecordKind::kSummary, DictionaryHash{1}, payload,
                              BootTimeOf(0))
                      .ok());
    }
  }
  std::unique_ptr<Uplink> StartUplink(SpoolSource& source, FakeLink& link) {
    UplinkConfig config;
    config.robot = "rb12";
    config.boot = boot_;
    auto uplink = std::make_unique<Uplink>(loop_, clock_, source, link, config, [] { return 1; });
    uplink->Start();
    return uplink;
  }

  TempFolder folder_;
  PosixDisk disk_;
  BootId boot_ = *BootId::Parse("0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9");
  std::uint64_t random_ = 0;
  FakeClock clock_;
  FakeScheduler loop_{clock_};
};

TEST_F(SpoolSourceTest, HasNoStreamsWhereThereIsNoSpoolYet) {
  SpoolSource source(folder_.path() / "spool", disk_);
  const auto streams = source.Streams();
  EXPECT_TRUE(!streams.ok() || streams->empty());
}

TEST_F(SpoolSourceTest, FeedsTheUplinkFromWhatTheRecorderWroteAndRemembersTheAcks) {
  const auto writer = OpenWriter();
  WriteTicks(*writer, kTicks);
  FakeLink link;
  {
    SpoolSource source(folder_.path() / "spool", disk_);
    const auto uplink = StartUplink(source, link);
    link.Welcome();
    ASSERT_EQ(link.sent.size(), 3u);
    EXPECT_EQ(link.sent[0].seqs, (SeqRange{Seq{1}, 60}));
    EXPECT_EQ(link.sent[2].seqs, (SeqRange{Seq{121}, 10}));
    link.Ack(Record(link.sent[0]));
  }
  // A new process finds the ledger, and what was written meanwhile.
  WriteTicks(*writer, 5);
  FakeLink next;
  SpoolSource source(folder_.path() / "spool", disk_);
  const auto uplink = StartUplink(source, next);
  next.Welcome();
  ASSERT_EQ(next.sent.size(), 2u);
  EXPECT_EQ(next.sent[0].seqs, (SeqRange{Seq{61}, 60}));
  EXPECT_EQ(next.sent[1].seqs, (SeqRange{Seq{121}, 15}));
  next.AckAll();
  EXPECT_EQ(writer->CountUnacknowledged(), 0u);
}

TEST_F(SpoolSourceTest, SeesRecordsThatTheRecorderWritesWhileItReads) {
  SpoolSource source(folder_.path() / "spool", disk_);
  FakeLink link;
  const auto uplink = StartUplink(source, link);
  link.Welcome();
  const auto writer = OpenWriter();
  WriteTicks(*writer, 3);
  uplink->Wake(false);
  loop_.Advance(std::chrono::seconds(10));
  ASSERT_EQ(link.sent.size(), 1u);
  EXPECT_EQ(link.sent[0].seqs, (SeqRange{Seq{1}, 3}));
}

}  // namespace

}  // namespace tacho
