// What the ingest promises a robot: what is acknowledged is stored once, what is refused says why.
#include "server/ingest.h"

#include <gtest/gtest.h>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

class IngestTest : public testing::Test {
 protected:
  Seq Through(const StreamKey& stream) {
    return world_.store->CommittedOf({"rb12", stream}).through();
  }

  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  MadeBoot boot_;
};

TEST_F(IngestTest, AcknowledgesWhatItStored) {
  auto stream = world_.Call("rb12", boot_.id());
  ASSERT_TRUE(stream->welcome().has_value());
  world_.Send(*stream,
              {boot_.DictionaryRecord(), boot_.Opened(1, "idle", At(1)), boot_.Seconds(1, 10)});
  EXPECT_TRUE(stream->refusals().empty());
  EXPECT_EQ(Through(boot_.Stream(Tier::kEvents)), Seq{2});
  EXPECT_EQ(Through(boot_.Stream(Tier::kSummaries)), Seq{10});
  EXPECT_EQ(stream->acks().back().ranges.count(), 10u);
}

TEST_F(IngestTest, AcknowledgesADuplicateAgainAndStoresItOnce) {
  auto stream = world_.Call("rb12", boot_.id());
  const Record batch = boot_.Seconds(1, 10);
  world_.Send(*stream, {boot_.DictionaryRecord(), batch});
  const auto acks = stream->acks().size();
  world_.Send(*stream, {batch});
  EXPECT_EQ(stream->acks().size(), acks + 1);
  EXPECT_EQ(world_.store->CountsOf("rb12").stored, 11u);
}

// A stream with many holes: a message names 64 ranges, and what was just written is among them.
TEST_F(IngestTest, AcknowledgesAndRefusesAlsoBeyondManyHoles) {
  auto stream = world_.Call("rb12", boot_.id());
  world_.Send(*stream, {boot_.DictionaryRecord()});
  for (std::uint64_t i = 0; i < 100; ++i) {
    Record record = boot_.Seconds(static_cast<int>(1 + 3 * i), 2);
    record.seqs = {Seq{1 + 3 * i}, 2};
    world_.Send(*stream, {record});
    const Committed ack = stream->acks().back();
    ASSERT_LE(ack.ranges.list().size(), kMaxRanges);
    ASSERT_TRUE(ack.ranges.Contains(record.seqs)) << i;
  }
  Record overlap = boot_.Seconds(297, 3);
  overlap.seqs = {Seq{297}, 3};
  world_.Send(*stream, {overlap});
  ASSERT_EQ(stream->refusals().size(), 1u);
  EXPECT_TRUE(stream->refusals()[0].committed.ranges.Contains({Seq{298}, 2}));
}

// What was acknowledged by a store that is gone, and left the spool since, is no word of a gap.
TEST_F(IngestTest, CountsWhatNobodyAccountsFor) {
  auto stream = world_.Call("rb12", boot_.id());
  Record late = boot_.Seconds(41, 10);
  late.seqs = {Seq{41}, 10};
  world_.Send(*stream, {boot_.DictionaryRecord(), boot_.Opened(1, "mission", At(1)), late,
                        boot_.Lost(Tier::kSummaries, {Seq{31}, 10}, "evicted")});
  const RecordCounts counts = world_.store->CountsOf("rb12");
  EXPECT_EQ(counts.stored, 13u);
  EXPECT_EQ(counts.gaps, 10u);
  EXPECT_EQ(counts.missing, 30u);
  EXPECT_EQ(world_.Ask("robots")["robots"].items()[0]["missing_records"].AsInt(), 30);
  const Json run = world_.Ask("run", Json::Object{{"run", "rb12@latest"}});
  const auto& gaps = run["gaps"].items();
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[1]["count"].AsInt(), 30);
  EXPECT_EQ(gaps[1]["reason"].AsText(), "nobody accounts for it");
}

TEST_F(IngestTest, RefusesAnOverlapWithTheCommittedRanges) {
  auto stream = world_.Call("rb12", boot_.id());
  world_.Send(*stream, {boot_.DictionaryRecord(), boot_.Seconds(1, 10)});
  Record overlap = boot_.Seconds(5, 10);
  overlap.seqs = {Seq{5}, 10};
  world_.Send(*stream, {overlap});
  ASSERT_EQ(stream->refusals().size(), 1u);
  EXPECT_EQ(stream->refusals()[0].why.code(), Code::kExists);
  EXPECT_EQ(stream->refusals()[0].committed.ranges.through(), Seq{10});
}

TEST_F(IngestTest, RefusesABatchWhoseDictionaryItLacks) {
  auto stream = world_.Call("rb12", boot_.id());
  world_.Send(*stream, {boot_.Seconds(1, 10)});
  ASSERT_EQ(stream->refusals().size(), 1u);
  EXPECT_EQ(stream->refusals()[0].why.code(), Code::kNotFound);
  EXPECT_EQ(stream->refusals()[0].why.message(), "dictionary unknown");
}

TEST_F(IngestTest, RefusesDamageAndGoesOn) {
  auto stream = world_.Call("rb12", boot_.id());
  Record damaged = boot_.Seconds(1, 10);
  damaged.payload.resize(damaged.payload.size() / 2);
  Record empty = boot_.Seconds(11, 1);
  empty.seqs.count = 0;
  world_.Send(*stream, {boot_.DictionaryRecord(), damaged, empty, boot_.Seconds(12, 5)});
  EXPECT_EQ(stream->refusals().size(), 2u);
  EXPECT_FALSE(stream->end().has_value());
  EXPECT_EQ(world_.store->CountsOf("rb12").stored, 6u);
}

TEST_F(IngestTest, RefusesARecordAboveTheLimit) {
  auto stream = world_.Call("rb12", boot_.id());
  Record large = boot_.Seconds(1, 10);
  large.payload.resize((1 << 20) + 1);
  world_.Send(*stream, {boot_.DictionaryRecord(), large});
  ASSERT_EQ(stream->refusals().size(), 1u);
  EXPECT_EQ(stream->refusals()[0].why.code(), Code::kExhausted);
}

TEST_F(IngestTest, AGapOccupiesOnlyWhatWasNotCommitted) {
  auto stream = world_.Call("rb12", boot_.id());
  world_.Send(*stream, {boot_.DictionaryRecord(), boot_.Seconds(1, 10)});
  world_.Send(*stream, {boot_.Lost(Tier::kSummaries, {Seq{6}, 10}, "evicted")});
  const RecordCounts counts = world_.store->CountsOf("rb12");
  EXPECT_EQ(counts.stored, 12u);
  EXPECT_EQ(counts.gaps, 5u);
  EXPECT_EQ(Through(boot_.Stream(Tier::kSummaries)), Seq{15});
  const auto gaps = world_.store->Gaps({"rb12", boot_.id()});
  ASSERT_TRUE(gaps.ok());
  ASSERT_EQ(gaps->size(), 1u);
  EXPECT_EQ((*gaps)[0].seqs, (SeqRange{Seq{11}, 5}));
}

TEST_F(IngestTest, WelcomesWithTheCommittedRanges) {
  auto first = world_.Call("rb12", boot_.id());
  world_.Send(*first, {boot_.DictionaryRecord(), boot_.Seconds(1, 10)});
  auto second = world_.Call("rb12", boot_.id(), 7, "", {boot_.Stream(Tier::kSummaries)});
  ASSERT_TRUE(second->welcome().has_value());
  ASSERT_EQ(second->welcome()->committed.size(), 1u);
  EXPECT_EQ(second->welcome()->committed[0].ranges.through(), Seq{10});
}

TEST_F(IngestTest, TheNewestHelloWins) {
  auto first = world_.Call("rb12", boot_.id());
  auto second = world_.Call("rb12", boot_.id());
  ASSERT_TRUE(first->end().has_value());
  world_.Send(*first, {boot_.DictionaryRecord()});
  EXPECT_EQ(world_.store->CountsOf("rb12").stored, 0u);
  EXPECT_FALSE(second->end().has_value());
}

TEST_F(IngestTest, DeniesAnotherRobotsName) {
  auto stream = world_.Call("rb12", boot_.id(), 0, "rb13");
  ASSERT_TRUE(stream->end().has_value());
  EXPECT_EQ(stream->end()->code(), Code::kDenied);
}

TEST_F(IngestTest, AdmitsOnlyTheRosterWhereAskedTo) {
  TempFolder folder;
  IngestConfig config;
  config.admits_any = false;
  ServerWorld world(folder.path(), {}, config);
  EXPECT_TRUE(world.roster->UseFile({{"rb12", true, false, {}}}).ok());
  EXPECT_TRUE(world.Call("rb12", boot_.id())->welcome().has_value());
  EXPECT_EQ(world.Call("rb13", boot_.id())->end()->code(), Code::kDenied);
}

TEST_F(IngestTest, AdmitsNoMoreRobotsThanItsLimit) {
  TempFolder folder;
  IngestConfig config;
  config.most_robots = 1;
  ServerWorld world(folder.path(), {}, config);
  EXPECT_TRUE(world.Call("rb12", boot_.id())->welcome().has_value());
  EXPECT_EQ(world.Call("rb13", MadeBootId(2))->end()->code(), Code::kExhausted);
  EXPECT_TRUE(world.Call("rb12", boot_.id())->welcome().has_value());
}

TEST_F(IngestTest, QuarantinesTwoMachinesUnderOneName) {
  const MadeBoot other(2);
  for (int round = 0; round < 2; ++round) {
    world_.Call("rb12", boot_.id());
    world_.Call("rb12", other.id());
  }
  auto third = world_.Call("rb12", boot_.id());
  ASSERT_TRUE(third->end().has_value());
  EXPECT_EQ(third->end()->code(), Code::kDenied);
  EXPECT_EQ(world_.Ask("robots")["robots"].items()[0]["state"].AsText(), "quarantined");
  const auto events = world_.store->RobotEvents("rb12", {});
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 2u);
  EXPECT_EQ((*events)[1].kind, "robot_admitted");
  EXPECT_EQ((*events)[0].kind, "robot_quarantined");
}

TEST_F(IngestTest, ARobotThatRebootsOftenIsNotQuarantined) {
  for (std::uint8_t seed = 1; seed < 20; ++seed) {
    auto stream = world_.Call("rb12", MadeBootId(seed));
    EXPECT_FALSE(stream->end().has_value());
  }
}

TEST_F(IngestTest, ThrottlesWhoSendsTooMuch) {
  TempFolder folder;
  const Record dictionary = boot_.DictionaryRecord();
  const Record batch = boot_.Seconds(1, 60);
  IngestConfig config;
  config.bytes_per_second = 10;
  config.burst_bytes = static_cast<double>(dictionary.payload.size() + batch.payload.size());
  ServerWorld world(folder.path(), {}, config);
  auto stream = world.Call("rb12", boot_.id());
  world.Send(*stream, {dictionary, batch});
  EXPECT_FALSE(stream->throttle().has_value());
  world.Send(*stream, {boot_.Seconds(61, 60)});
  EXPECT_GT(stream->throttle().value_or(Nanos{0}), Nanos{0});
  EXPECT_EQ(world.store->CountsOf("rb12").stored, 121u);
}

TEST_F(IngestTest, KeepsAnEventOfAKindItDoesNotKnow) {
  auto stream = world_.Call("rb12", boot_.id());
  Record strange = boot_.Happened("x", "y", At(1));
  strange.kind = static_cast<RecordKind>(99);
  world_.Send(*stream, {strange});
  EXPECT_TRUE(stream->refusals().empty());
  EXPECT_EQ(world_.store->CountsOf("rb12").stored, 1u);
}

}  // namespace
}  // namespace tacho
