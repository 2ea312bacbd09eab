// From the outbox to the spool: order, limits, syncs and wake-ups.
#include "daemon/recorder/spool_worker.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "daemon/recorder/outbox.h"
#include "daemon/spool/spool_reader.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

Outgoing Summary(std::size_t size = 10) {
  return {.tier = Tier::kSummaries,
          .kind = RecordKind::kSummary,
          .dictionary = DictionaryHash{1},
          .payload = Bytes(size)};
}

Outgoing EventOf(Urgency urgency) {
  return {.tier = Tier::kEvents,
          .kind = RecordKind::kEvent,
          .dictionary = {},
          .payload = Encode(Event{.at = At(1), .kind = "hello", .detail = ""}),
          .urgency = urgency};
}

TEST(OutboxTest, RecordsComeOutInOrderAndThenTheEnd) {
  Outbox outbox(1 << 20);
  for (std::size_t size = 1; size <= 3; ++size)
    EXPECT_TRUE(outbox.Add(Summary(size)));
  outbox.Close();
  const auto records = outbox.Take(0s);
  ASSERT_TRUE(records.has_value());
  ASSERT_EQ(records->size(), 3u);
  EXPECT_EQ((*records)[2].payload.size(), 3u);
  EXPECT_FALSE(outbox.Take(1h).has_value());
  EXPECT_FALSE(outbox.Add(Summary())) << "it is closed";
}

TEST(OutboxTest, FullQueueRefusesSummariesFirstAndCounts) {
  Outbox outbox(1000);
  EXPECT_TRUE(outbox.Add(Summary(800)));
  EXPECT_FALSE(outbox.Add(Summary(800)));
  EXPECT_TRUE(outbox.Add(EventOf(Urgency::kNow)));
  EXPECT_EQ(outbox.refused(), 1u);
  EXPECT_TRUE(outbox.Take(0s).has_value());
  EXPECT_TRUE(outbox.Add(Summary(800)));
}

TEST(OutboxTest, WaitingTakerIsWoken) {
  Outbox outbox(1000);
  std::size_t taken = 0;
  std::thread taker([&] {
    while (const auto records = outbox.Take(1h))
      taken += records->size();
  });
  EXPECT_TRUE(outbox.Add(Summary()));
  outbox.Close();
  taker.join();
  EXPECT_EQ(taken, 1u);
}

class SpoolWorkerTest : public testing::Test {
 protected:
  std::unique_ptr<SpoolWorker> Make() {
    auto writer = SpoolWriter::Open(
        {.folder = "/spool", .segment_bytes = 1 << 16}, disk_, TestBoot(1),
        [this] { return ++random_; }, At(1));
    BootReport report;
    report.agent = "tachod test";
    report.recorder_started = At(1);
    return std::make_unique<SpoolWorker>(
        std::move(writer), SyncConfig{}, report,
        [this](bool is_urgent) { wakes_ += is_urgent ? '!' : '.'; }, At(1));
  }
  std::vector<RecordKind> Kinds() {
    SpoolReader reader("/spool", disk_);
    std::vector<RecordKind> kinds;
    for (const auto& [key, record] : ReadAll(reader).records)
      kinds.push_back(record.kind);
    return kinds;
  }
  int syncs() { return disk_.calls[FaultyDisk::Call::kSync]; }

  FaultyDisk disk_;
  std::uint64_t random_ = 100;
  std::string wakes_;
};

TEST_F(SpoolWorkerTest, FirstRecordIsTheBootReport) {
  const auto worker = Make();
  EXPECT_EQ(worker->Append(EventOf(Urgency::kNow), At(2)).seq, Seq{2});
  SpoolReader reader("/spool", disk_);
  const Found found = ReadAll(reader);
  ASSERT_EQ(found.records.size(), 2u);
  const Record& first = found.records.begin()->second;
  ASSERT_EQ(first.kind, RecordKind::kBoot);
  const auto report = DecodeBootReport(first.payload);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->boot_counter, 1u);
  EXPECT_EQ(report->agent, "tachod test");
  EXPECT_TRUE(report->previous_ended_clean);
}

TEST_F(SpoolWorkerTest, NextRecorderSaysHowTheOneBeforeEnded) {
  Make().reset();
  Make()->Close(At(3));
  const auto third = Make();
  SpoolReader reader("/spool", disk_);
  std::vector<bool> ended_clean;
  for (const auto& [key, record] : ReadAll(reader).records) {
    ended_clean.push_back(DecodeBootReport(record.payload)->previous_ended_clean);
  }
  EXPECT_EQ(ended_clean, (std::vector<bool>{true, false, true}));
}

TEST_F(SpoolWorkerTest, EventIsSyncedAndTheUplinkWokenAtOnce) {
  const auto worker = Make();
  worker->Tend(At(1));
  wakes_.clear();
  EXPECT_TRUE(worker->Append(EventOf(Urgency::kAlarm), At(2)).status.ok());
  const int before = syncs();
  worker->Tend(At(2));
  EXPECT_GT(syncs(), before);
  EXPECT_EQ(wakes_, "!");
}

TEST_F(SpoolWorkerTest, SummariesAreSyncedAfterFiveSecondsAndSentAfterTen) {
  const auto worker = Make();
  worker->Tend(At(1));
  wakes_.clear();
  EXPECT_TRUE(worker->Append(Summary(), At(2)).status.ok());
  EXPECT_EQ(worker->Patience(At(2)), 5s);
  const int before = syncs();
  worker->Tend(At(6.9));
  EXPECT_EQ(syncs(), before);
  worker->Tend(At(7));
  EXPECT_GT(syncs(), before);
  EXPECT_EQ(wakes_, "");
  EXPECT_EQ(worker->Patience(At(7)), 5s);
  worker->Tend(At(12));
  EXPECT_EQ(wakes_, ".");
}

TEST_F(SpoolWorkerTest, WithNothingToDoItSleepsLong) {
  const auto worker = Make();
  worker->Tend(At(1));
  EXPECT_GE(worker->Patience(At(1)), 1min);
}

TEST_F(SpoolWorkerTest, DiskThatRefusesKeepsRecordsInMemoryAndSaysSo) {
  disk_.FailAlways(FaultyDisk::Call::kFolder);
  const auto worker = Make();
  const Stored stored = worker->Append(EventOf(Urgency::kNow), At(2));
  EXPECT_TRUE(stored.status.ok());
  EXPECT_TRUE(stored.is_in_ram);
  worker->Tend(At(2));
  EXPECT_TRUE(worker->View().counters.is_ram_only);
  EXPECT_FALSE(worker->View().last_failure.empty());
  disk_.Heal();
  EXPECT_FALSE(worker->Append(Summary(), At(200)).is_in_ram);
  EXPECT_EQ(Kinds(),
            (std::vector<RecordKind>{RecordKind::kBoot, RecordKind::kEvent, RecordKind::kSummary}));
}

TEST_F(SpoolWorkerTest, RecordThatNoSegmentCanHoldIsRefusedWithAReason) {
  const auto worker = Make();
  const Stored stored = worker->Append(Summary(1 << 20), At(2));
  EXPECT_EQ(stored.status.code(), Code::kInvalid);
}

}  // namespace
}  // namespace tacho
