// Order, packing, window, refusals and backoff of the uplink, on a fake link and time.
#include "daemon/uplink/uplink.h"

#include <gtest/gtest.h>

#include "common/codec/block.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_link.h"
#include "tests/support/fake_record_source.h"
#include "tests/support/fake_scheduler.h"

namespace tacho {

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

BootId BootOf(std::uint8_t number) {
  BootId boot;
  boot.bytes[0] = number;
  return boot;
}

const StreamKey kEvents{BootOf(1), Epoch{7}, Tier::kEvents};
const StreamKey kSummaries{BootOf(1), Epoch{7}, Tier::kSummaries};

class UplinkTest : public testing::Test {
 protected:
  void StartUplink() {
    UplinkConfig config;
    config.robot = "rb12";
    config.boot = BootOf(1);
    config.agent = "test";
    uplink_ =
        std::make_unique<Uplink>(loop_, clock_, spool_, link_, config, [this] { return random_; });
    uplink_->Start();
  }
  void StartWelcome() {
    StartUplink();
    link_.Welcome();
  }
  // "tier:first+count" of every record sent so far.
  std::vector<std::string> Sent() const {
    std::vector<std::string> names;
    for (const Record& record : link_.sent) {
      names.push_back(std::to_string(static_cast<int>(record.stream.tier)) + ":" +
                      std::to_string(Number(record.seqs.first)) + "+" +
                      std::to_string(record.seqs.count));
    }
    return names;
  }
  using Names = std::vector<std::string>;

  FakeClock clock_;
  FakeScheduler loop_{clock_};
  FakeRecordSource spool_;
  FakeLink link_;
  std::uint64_t random_ = ~std::uint64_t{0} >> 1;
  std::unique_ptr<Uplink> uplink_;
};

TEST_F(UplinkTest, SaysHelloWithTheStreamsOfTheSpool) {
  spool_.boot_counters[BootOf(1)] = 118;
  spool_.AddEvent(kEvents, Seq{1});
  spool_.AddSummary(kSummaries, Seq{1});
  clock_.SetTrust(ClockTrust::kRtc);
  StartUplink();
  ASSERT_EQ(link_.hellos.size(), 1u);
  EXPECT_EQ(link_.hellos[0].robot, "rb12");
  EXPECT_EQ(link_.hellos[0].boot_counter, 118u);
  EXPECT_EQ(link_.hellos[0].clock.trust, ClockTrust::kRtc);
  EXPECT_EQ(link_.hellos[0].streams, (std::vector{kEvents, kSummaries}));
}

TEST_F(UplinkTest, SendsEventsBeforeSummariesAndPacksTheSummaries) {
  spool_.AddSummaries(kSummaries, 1, 10);
  spool_.AddEvent(kEvents, Seq{1});
  spool_.AddEvent(kEvents, Seq{2});
  StartWelcome();
  EXPECT_EQ(Sent(), (Names{"0:1+1", "0:2+1", "1:1+10"}));
}

TEST_F(UplinkTest, PacksTheRowsOfTheSummariesIntoOneBlock) {
  spool_.AddSummaries(kSummaries, 1, 3);
  StartWelcome();
  ASSERT_EQ(link_.sent.size(), 1u);
  const auto blocks = DecodeBlocks(link_.sent[0].payload);
  ASSERT_TRUE(blocks.ok());
  ASSERT_EQ(blocks->size(), 1u);
  EXPECT_EQ((*blocks)[0].columns[0].values, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_F(UplinkTest, SendsTheCurrentBootFirstThenTheNewest) {
  spool_.boot_counters = {{BootOf(1), 0}, {BootOf(2), 7}, {BootOf(3), 9}};
  for (const BootId& boot : {BootOf(2), BootOf(1), BootOf(3)}) {
    spool_.AddEvent({boot, Epoch{1}, Tier::kEvents}, Seq{1});
  }
  StartWelcome();
  ASSERT_EQ(link_.sent.size(), 3u);
  EXPECT_EQ(link_.sent[0].stream.boot, BootOf(1));
  EXPECT_EQ(link_.sent[1].stream.boot, BootOf(3));
  EXPECT_EQ(link_.sent[2].stream.boot, BootOf(2));
}

TEST_F(UplinkTest, NeverPacksAcrossADictionaryOrAHole) {
  spool_.AddSummaries(kSummaries, 1, 3);
  spool_.AddSummary(kSummaries, Seq{4}, DictionaryHash{2});
  spool_.AddSummary(kSummaries, Seq{5}, DictionaryHash{2});
  spool_.AddSummary(kSummaries, Seq{9}, DictionaryHash{2});
  StartWelcome();
  EXPECT_EQ(Sent(), (Names{"1:1+3", "1:4+2", "1:9+1"}));
  EXPECT_EQ(uplink_->backlog_counters().skipped, 3u);
}

TEST_F(UplinkTest, CatchesUpInBatchesOfSixtyTicks) {
  spool_.AddSummaries(kSummaries, 1, 150);
  StartWelcome();
  EXPECT_EQ(Sent(), (Names{"1:1+60", "1:61+60", "1:121+30"}));
}

TEST_F(UplinkTest, SendsAnEventAtOnceAndSummariesWhenTheFlushIsDue) {
  StartWelcome();
  loop_.Advance(seconds(3));
  spool_.AddSummaries(kSummaries, 1, 3);
  spool_.AddEvent(kEvents, Seq{1});
  uplink_->Wake(true);
  EXPECT_EQ(Sent(), (Names{"0:1+1"}));
  link_.AckAll();
  uplink_->Wake(false);
  loop_.Advance(seconds(6));
  EXPECT_EQ(Sent(), (Names{"0:1+1"}));
  spool_.AddSummaries(kSummaries, 4, 9);
  loop_.Advance(seconds(1));
  EXPECT_EQ(Sent(), (Names{"0:1+1", "1:1+9"}));
}

TEST_F(UplinkTest, LooksOnceForAFloodOfEvents) {
  StartWelcome();
  uplink_->Wake(true);
  const int looks = spool_.looks;
  for (std::uint64_t seq = 1; seq <= 100; ++seq) {
    spool_.AddEvent(kEvents, Seq{seq});
    uplink_->Wake(true);
    loop_.Advance(std::chrono::milliseconds(1));
  }
  loop_.Advance(std::chrono::milliseconds(200));
  EXPECT_EQ(spool_.looks, looks + 1);
  EXPECT_EQ(uplink_->counters().sent_batches, 48u);  // the window
  EXPECT_EQ(spool_.events_asked, 1u) << "events are not packed, so more are read in vain";
}

TEST_F(UplinkTest, LooksAtTheSpoolByItselfEveryMinute) {
  StartWelcome();
  spool_.AddSummaries(kSummaries, 1, 5);
  loop_.Advance(seconds(59));
  EXPECT_EQ(Sent(), Names{});
  loop_.Advance(seconds(1));
  EXPECT_EQ(Sent(), (Names{"1:1+5"}));
}

TEST_F(UplinkTest, WritesAcksToTheLedger) {
  spool_.AddSummaries(kSummaries, 1, 5);
  StartWelcome();
  EXPECT_EQ(spool_.ledger[kSummaries], Seq{0});
  link_.AckAll();
  EXPECT_EQ(spool_.ledger[kSummaries], Seq{5});
  EXPECT_EQ(uplink_->backlog_counters().acknowledged, 5u);
}

TEST_F(UplinkTest, ContinuesAfterWhatTheWelcomeNames) {
  spool_.AddSummaries(kSummaries, 1, 10);
  StartUplink();
  SeqRanges ranges;
  ranges.Add({Seq{1}, 4});
  ranges.Add({Seq{7}, 2});
  link_.Welcome({{kSummaries, ranges}});
  EXPECT_EQ(Sent(), (Names{"1:5+2", "1:9+2"}));
  EXPECT_EQ(spool_.ledger[kSummaries], Seq{4});
}

TEST_F(UplinkTest, SendsNothingThatTheLedgerHolds) {
  spool_.AddSummaries(kSummaries, 1, 10);
  spool_.ledger[kSummaries] = Seq{8};
  StartWelcome();
  EXPECT_EQ(Sent(), (Names{"1:9+2"}));
}

TEST_F(UplinkTest, SendsAgainWhatAServerWithoutItsStoreForgot) {
  spool_.AddSummaries(kSummaries, 1, 10);
  spool_.Evict(kSummaries, {Seq{1}, 3});
  spool_.ledger[kSummaries] = Seq{8};
  StartUplink();
  link_.Welcome({{kSummaries, {}}});
  EXPECT_EQ(Sent(), (Names{"1:4+7"}));
  EXPECT_EQ(uplink_->backlog_counters().forgotten_streams, 1u);
  link_.AckAll();
  EXPECT_EQ(spool_.ledger[kSummaries], Seq{10});
}

TEST_F(UplinkTest, BelievesItsLedgerAboveTheLastRangeOfALongList) {
  spool_.AddSummaries(kSummaries, 1, 140);
  spool_.ledger[kSummaries] = Seq{138};
  StartUplink();
  SeqRanges ranges;
  for (std::uint64_t i = 0; i < kMaxRanges; ++i)
    ranges.Add({Seq{1 + 2 * i}, 1});
  link_.Welcome({{kSummaries, ranges}});
  ASSERT_FALSE(Sent().empty());
  EXPECT_EQ(Sent().front(), "1:2+1");
  link_.AckAll();
  loop_.Advance(minutes(1));
  EXPECT_EQ(Sent().size(), 64u);  // the 63 holes, and what the ledger lacked
  EXPECT_EQ(Sent().back(), "1:139+2");
}

TEST_F(UplinkTest, AfterARestartSendsExactlyWhatIsNotCommitted) {
  spool_.AddEvent(kEvents, Seq{1});
  spool_.AddSummaries(kSummaries, 1, 70);
  StartWelcome();
  ASSERT_EQ(Sent(), (Names{"0:1+1", "1:1+60", "1:61+10"}));
  link_.Ack(link_.sent[0]);
  // The server committed the second batch too, but its ack was lost with the first uplink.
  link_.sent.clear();
  uplink_.reset();
  link_ = FakeLink();
  StartUplink();
  SeqRanges first_batch;
  first_batch.Add({Seq{1}, 60});
  link_.Welcome({{kSummaries, first_batch}});
  EXPECT_EQ(Sent(), (Names{"1:61+10"}));
}

TEST_F(UplinkTest, PacksAgainWhatARefusedOverlapLeaves) {
  spool_.AddSummaries(kSummaries, 1, 10);
  StartWelcome();
  SeqRanges truth;
  truth.Add({Seq{1}, 6});
  link_.Refuse(link_.sent[0], Status(Code::kExists, "overlap"), truth);
  loop_.Advance(minutes(1));
  EXPECT_EQ(Sent(), (Names{"1:1+10", "1:7+4"}));
}

TEST_F(UplinkTest, FindsTheCorruptRecordOfABatchAndGivesUpOnlyThat) {
  spool_.AddSummaries(kSummaries, 1, 4);
  StartWelcome();
  ASSERT_EQ(Sent(), (Names{"1:1+4"}));
  const Status corrupt(Code::kCorrupt, "no block");
  link_.Refuse(link_.sent[0], corrupt);
  loop_.Advance(minutes(1));
  ASSERT_EQ(Sent(), (Names{"1:1+4", "1:1+1", "1:2+1", "1:3+1", "1:4+1"}));
  link_.Ack(Record(link_.sent[1]));
  link_.Ack(Record(link_.sent[2]));
  link_.Refuse(Record(link_.sent[3]), corrupt);
  link_.Ack(Record(link_.sent[4]));
  loop_.Advance(minutes(10));
  EXPECT_EQ(link_.sent.size(), 5u);
  EXPECT_EQ(uplink_->backlog_counters().given_up, 1u);
  EXPECT_EQ(spool_.ledger[kSummaries], Seq{4});
}

TEST_F(UplinkTest, SendsAgainAfterAPauseWhatTheServerCouldNotTakeNow) {
  spool_.AddSummaries(kSummaries, 1, 4);
  StartWelcome();
  link_.Refuse(link_.sent[0], Status(Code::kUnavailable, "disk full"));
  EXPECT_EQ(link_.sent.size(), 1u);
  loop_.Advance(seconds(5));
  EXPECT_EQ(Sent(), (Names{"1:1+4", "1:1+4"}));
  EXPECT_EQ(uplink_->backlog_counters().given_up, 0u);
}

TEST_F(UplinkTest, CountsEvictedSeqsAsSettledOnceTheirGapIsAcknowledged) {
  const Gap gap{kSummaries, {Seq{1}, 3}, "evicted"};
  spool_.Add({kEvents, {Seq{1}, 1}, RecordKind::kGap, {}, Encode(gap)});
  spool_.AddSummaries(kSummaries, 4, 6);
  StartWelcome();
  EXPECT_EQ(Sent(), (Names{"0:1+1", "1:4+3"}));
  link_.AckAll();
  EXPECT_EQ(spool_.ledger[kSummaries], Seq{6});
}

TEST_F(UplinkTest, KeepsTheWindow) {
  for (std::uint64_t seq = 1; seq <= 10; ++seq) {
    spool_.AddEvent(kEvents, Seq{seq}, 200u << 10);
  }
  StartWelcome();
  EXPECT_EQ(link_.sent.size(), 4u);  // the fourth crosses 768 KiB
  link_.Ack(Record(link_.sent[0]));
  EXPECT_EQ(link_.sent.size(), 5u);
}

TEST_F(UplinkTest, StopsSendingWhenTheLinkIsFullAndGoesOnAfterTheNextAck) {
  link_.room = 1;
  spool_.AddEvent(kEvents, Seq{1});
  spool_.AddEvent(kEvents, Seq{2});
  StartWelcome();
  EXPECT_EQ(Sent(), (Names{"0:1+1"}));
  link_.room = 10;
  link_.AckAll();
  EXPECT_EQ(Sent(), (Names{"0:1+1", "0:2+1"}));
}

TEST_F(UplinkTest, SendsNothingWhileThrottled) {
  StartWelcome();
  link_.Throttle(seconds(30));
  spool_.AddEvent(kEvents, Seq{1});
  uplink_->Wake(true);
  loop_.Advance(seconds(29));
  EXPECT_EQ(Sent(), Names{});
  loop_.Advance(seconds(1));
  EXPECT_EQ(Sent(), (Names{"0:1+1"}));
}

TEST_F(UplinkTest, SendsAgainOnTheNextConnectionWhatHadNoAnswer) {
  spool_.AddSummaries(kSummaries, 1, 10);
  StartWelcome();
  link_.Lose(Status(Code::kUnavailable, "gone"));
  loop_.Advance(minutes(5));
  ASSERT_EQ(link_.hellos.size(), 2u);
  link_.Welcome();
  EXPECT_EQ(Sent(), (Names{"1:1+10", "1:1+10"}));
}

TEST_F(UplinkTest, WaitsLongerAfterEachLossAndShortAgainAfterAnAck) {
  spool_.AddEvent(kEvents, Seq{1});
  StartUplink();
  const auto wait_after_loss = [this] {
    link_.Lose(Status(Code::kUnavailable, "nobody"));
    const BootTime lost_at = clock_.Boot();
    const std::size_t before = link_.hellos.size();
    while (link_.hellos.size() == before)
      loop_.Advance(std::chrono::milliseconds(1));
    return clock_.Boot() - lost_at;
  };
  for (const Nanos ceiling : {seconds(1), seconds(2), seconds(4)}) {
    random_ = static_cast<std::uint64_t>(ceiling.count());  // draws the whole ceiling
    EXPECT_EQ(wait_after_loss(), ceiling);
  }
  link_.Welcome();
  random_ = static_cast<std::uint64_t>(Nanos(seconds(8)).count());
  EXPECT_EQ(wait_after_loss(), seconds(8));
  link_.Welcome();
  link_.AckAll();
  random_ = static_cast<std::uint64_t>(Nanos(seconds(1)).count());
  EXPECT_EQ(wait_after_loss(), seconds(1));
}

TEST_F(UplinkTest, WaitsLongWhenTheServerDeniesIt) {
  random_ = 0;
  StartUplink();
  link_.Lose(Status(Code::kDenied, "rb12 is not on the roster"));
  loop_.Advance(seconds(149));
  EXPECT_EQ(link_.hellos.size(), 1u);
  loop_.Advance(seconds(1));
  EXPECT_EQ(link_.hellos.size(), 2u);
  EXPECT_EQ(uplink_->trouble(), "rb12 is not on the roster");
}

TEST_F(UplinkTest, WorksWithAServerThatComesLateAndASpoolThatComesLater) {
  spool_.failure = Status(Code::kNotFound, "no such folder");
  StartUplink();
  for (int i = 0; i < 5; ++i) {
    link_.Lose(Status(Code::kUnavailable, "connection refused"));
    loop_.Advance(minutes(5));
  }
  EXPECT_GE(link_.hellos.size(), 6u);
  link_.Welcome();
  EXPECT_TRUE(uplink_->is_connected());
  EXPECT_EQ(Sent(), Names{});
  spool_.failure = Status();
  spool_.AddEvent(kEvents, Seq{1});
  uplink_->Wake(true);
  EXPECT_EQ(Sent(), (Names{"0:1+1"}));
}

TEST_F(UplinkTest, ClosesAConnectionThatNeverAnswers) {
  spool_.AddEvent(kEvents, Seq{1});
  StartWelcome();
  loop_.Advance(seconds(59));
  EXPECT_TRUE(link_.goodbyes.empty());
  loop_.Advance(seconds(1));
  ASSERT_EQ(link_.goodbyes.size(), 1u);
  link_.Lose(Status());
  EXPECT_EQ(uplink_->trouble(), "the server gave no answer for 60 s");
}

TEST_F(UplinkTest, ClosesForAProtocolThatItDoesNotKnow) {
  StartUplink();
  spool_.AddEvent(kEvents, Seq{1});
  link_.WelcomeWith(9);
  EXPECT_EQ(link_.goodbyes.size(), 1u);
  EXPECT_EQ(Sent(), Names{});
}

TEST_F(UplinkTest, StoppingSendsTheRestSaysGoodbyeAndEnds) {
  StartWelcome();
  spool_.AddSummaries(kSummaries, 1, 3);
  bool is_done = false;
  uplink_->Stop(seconds(2), [&] { is_done = true; });
  EXPECT_EQ(Sent(), (Names{"1:1+3"}));
  EXPECT_TRUE(link_.goodbyes.empty());
  link_.AckAll();
  EXPECT_EQ(link_.goodbyes, (std::vector<std::string>{"stopping"}));
  EXPECT_FALSE(is_done);
  link_.Lose(Status());
  EXPECT_TRUE(is_done);
}

TEST_F(UplinkTest, StoppingWaitsNoLongerThanItMay) {
  StartWelcome();
  spool_.AddSummaries(kSummaries, 1, 3);
  uplink_->Stop(seconds(2), [] {});
  loop_.Advance(seconds(2));
  EXPECT_EQ(link_.goodbyes.size(), 1u);
}

TEST_F(UplinkTest, StoppingWhileDisconnectedEndsAtOnce) {
  StartUplink();
  link_.Lose(Status(Code::kUnavailable, "nobody"));
  bool is_done = false;
  uplink_->Stop(seconds(2), [&] { is_done = true; });
  loop_.Advance(Nanos(0));
  EXPECT_TRUE(is_done);
  loop_.Advance(minutes(10));
  EXPECT_EQ(link_.hellos.size(), 1u);
}

}  // namespace

}  // namespace tacho
