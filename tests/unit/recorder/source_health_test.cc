// What the status says of sources and feeds, and the events of their changes.
#include "daemon/recorder/source_health.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "daemon/recorder/feed_port.h"
#include "daemon/recorder/health_report.h"
#include "tests/unit/recorder/recorder_world.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;
using What = FeedHealth::What;

class FeedPortHealthTest : public testing::Test {
 protected:
  void Start(Nanos period = 1s) {
    auto feed = std::make_unique<ScriptedFeed>();
    feed_ = feed.get();
    port_ = std::make_unique<FeedPort>("scripted", GroupId{0}, period, 64, std::move(feed));
    port_->Start(At(10));
  }
  void Say(double at) {
    feed_->Say(at, {Value(0, 1)});
    port_->Drain([](const Row&) {});
  }
  std::string Word(double at) { return std::string(NameOf(port_->health(At(at)).state)); }
  std::string Detail(double at) { return port_->health(At(at)).detail; }

  ScriptedFeed* feed_ = nullptr;
  std::unique_ptr<FeedPort> port_;
};

TEST_F(FeedPortHealthTest, RowsOfTheLastThreePeriodsAreOkAndLessIsSilence) {
  Start();
  EXPECT_EQ(Word(13), "ok");
  EXPECT_EQ(Word(13.1), "silent");
  EXPECT_EQ(Detail(13.1), "nothing was read yet");
  Say(14);
  EXPECT_EQ(Word(17), "ok");
  EXPECT_EQ(Detail(17), "");
  EXPECT_EQ(Word(24), "silent");
  EXPECT_EQ(Detail(24), "the last row came 10 s ago");
  Say(25);
  EXPECT_EQ(Word(25), "ok");
}

TEST_F(FeedPortHealthTest, FastFeedsHaveThreeSecondsAndSlowOnesThreePeriods) {
  Start(100ms);
  EXPECT_EQ(Word(13), "ok");
  Start(1min);
  EXPECT_EQ(Word(190), "ok");
  EXPECT_EQ(Word(191), "silent");
}

TEST_F(FeedPortHealthTest, NonsenseInPlaceOfRowsIsAFailure) {
  Start();
  feed_->Fare({.hears_noise = true, .detail = "7 lines are no tegrastats"});
  EXPECT_EQ(Word(12), "ok") << "a few words before the first sample are usual";
  EXPECT_EQ(Word(14), "failing");
  EXPECT_EQ(Detail(14), "7 lines are no tegrastats; nothing was read yet");
}

TEST_F(FeedPortHealthTest, WhatTheFeedSaysOfItselfCounts) {
  Start();
  Say(11);
  feed_->Fare({.what = What::kFailing, .detail = "ended 3 times in a row"});
  EXPECT_EQ(Word(11), "failing");
  feed_->Fare({.what = What::kEnded, .detail = "the log came to its end"});
  EXPECT_EQ(Word(11), "ended");
  EXPECT_EQ(Detail(20), "the log came to its end; the last row came 9 s ago");
}

class HealthWatchTest : public testing::Test {
 protected:
  // "sensor_lost" and the like, for one look.
  std::vector<std::string> Look(double at, SourceWord word, bool is_feed = true) {
    const SourceHealth health{.name = "thing", .state = word, .detail = "why", .is_feed = is_feed};
    std::vector<std::string> said;
    for (const Event& event : watch_.Look(std::span(&health, 1), At(at)))
      said.push_back(event.kind + ": " + event.detail);
    return said;
  }
  using Said = std::vector<std::string>;

  HealthWatch watch_;
};

TEST_F(HealthWatchTest, ChangeIsToldOnceAndTheReturnWhenItLasts) {
  EXPECT_EQ(Look(1, SourceWord::kOk), Said{});
  EXPECT_EQ(Look(2, SourceWord::kSilent), Said{"sensor_lost: feed thing is silent: why"});
  EXPECT_EQ(Look(3, SourceWord::kSilent), Said{});
  EXPECT_EQ(Look(4, SourceWord::kFailing), Said{"sensor_lost: feed thing is failing: why"});
  EXPECT_EQ(Look(5, SourceWord::kOk), Said{});
  EXPECT_EQ(Look(14, SourceWord::kOk), Said{"sensor_back: feed thing is read again"});
  EXPECT_EQ(Look(15, SourceWord::kOk), Said{});
}

TEST_F(HealthWatchTest, SourceThatComesAndGoesIsOneLoss) {
  EXPECT_EQ(Look(0, SourceWord::kSilent).size(), 1u);
  for (int at = 1; at < 200; ++at) {
    const auto word = at % 9 == 0 ? SourceWord::kSilent : SourceWord::kOk;
    EXPECT_EQ(Look(at, word), Said{}) << at;
  }
}

TEST_F(HealthWatchTest, WhatWasNeverThereOrIsToldElsewhereIsNoChange) {
  for (const SourceWord word : {SourceWord::kAbsent, SourceWord::kOff, SourceWord::kParked}) {
    EXPECT_EQ(Look(1, word), Said{});
  }
}

class RecorderHealthTest : public testing::Test {
 protected:
  RecorderHealthTest()
      : life_(clock_, disk_, folder_.path(), TestBoot(1)),
        channel_(life_.Add({"power_rail", Unit::kWatts, 3, Shape::kGauge, "Power."}, "GPU")) {
    life_.Start();
  }
  std::vector<std::string> Events() {
    SpoolReader reader("/spool", disk_);
    std::vector<std::string> kinds;
    for (const auto& [key, record] : ReadAll(reader, 1 << 20).records) {
      if (record.kind == RecordKind::kEvent) kinds.push_back(DecodeEvent(record.payload)->kind);
    }
    return kinds;
  }

  TempFolder folder_;
  FakeClock clock_{At(13)};
  FaultyDisk disk_;
  RecorderLife life_;
  ChannelId channel_;
};

TEST_F(RecorderHealthTest, FeedThatFallsSilentAndReturnsIsTwoEvents) {
  for (int at = 14; at < 60; ++at) {
    const bool is_silent = at > 20 && at < 40;
    if (!is_silent) life_.feed().Say(at, {Value(Number(channel_), at)});
    life_.TickAt(at);
  }
  life_.Stop();
  EXPECT_EQ(Events(), (std::vector<std::string>{"sensor_lost", "sensor_back"}));
}

// Sources whose words the test gives: three channels from number 0 on.
class SourceHealthTest : public testing::Test {
 protected:
  class Nothing final : public Source {
    Status Sample(Sink& /*sink*/) override { return {}; }
  };
  SourceHealthTest() {
    std::vector<std::unique_ptr<SourceSlot>> slots;
    slots.push_back(
        std::make_unique<SourceSlot>("rails", GroupId{0}, 1s, std::make_unique<Nothing>()));
    intake_ =
        std::make_unique<Intake>(std::make_unique<SamplerPool>(clock_, std::move(slots), 1s, 64));
  }
  SourceHealth Health(double at) {
    return HealthOfAll({states_, *intake_, dictionary_, latest_}, At(at)).at(0);
  }

  FakeClock clock_;
  std::vector<SourceState> states_ = {{.name = "rails",
                                       .what = SourceState::What::kOpen,
                                       .detail = {},
                                       .channels = 3,
                                       .first = ChannelId{0}}};
  std::unique_ptr<Intake> intake_;
  Dictionary dictionary_;
  Latest latest_;
};

TEST_F(SourceHealthTest, ChannelsThatCannotBeReadAreCountedByReason) {
  latest_.Take(RowAt(10, {Value(0, 1), Absent(1, Why::kUnparsable), Absent(2, Why::kBroken)}));
  const SourceHealth health = Health(10);
  EXPECT_EQ(health.state, SourceWord::kOk);
  EXPECT_EQ(health.detail, "2 of 3 channels cannot be read: 1 broken, 1 unparsable");
}

TEST_F(SourceHealthTest, SourceOfWhichNothingCanBeReadFails) {
  latest_.Take(
      RowAt(10, {Absent(0, Why::kGated), Absent(1, Why::kUnparsable), Absent(2, Why::kBroken)}));
  EXPECT_EQ(Health(10).state, SourceWord::kFailing);
}

TEST_F(SourceHealthTest, BlocksThatAreOffAreAsTheyShouldBe) {
  latest_.Take(
      RowAt(10, {Absent(0, Why::kGated), Absent(1, Why::kDisabled), Absent(2, Why::kMissing)}));
  EXPECT_EQ(Health(10).state, SourceWord::kOk);
  EXPECT_EQ(Health(10).detail, "");
}

TEST_F(SourceHealthTest, SourceWithoutNewWordsIsSilent) {
  latest_.Take(RowAt(10, {Value(0, 1)}));
  EXPECT_EQ(Health(13).state, SourceWord::kOk);
  EXPECT_EQ(Health(14).state, SourceWord::kSilent);
}

}  // namespace
}  // namespace tacho
