// Sweeps: deadlines, cadences, no allocation; and the spare sampler when a read does not return.
#include "daemon/recorder/sampler.h"

#include <condition_variable>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "common/posix_clock.h"
#include "daemon/recorder/channels.h"
#include "daemon/recorder/deadlines.h"
#include "daemon/recorder/flight_ring.h"
#include "daemon/recorder/latest.h"
#include "daemon/recorder/row_assembler.h"
#include "daemon/recorder/row_check.h"
#include "daemon/recorder/sampler_pool.h"
#include "daemon/recorder/summaries.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/waiting.h"
#include "tests/unit/collector/boards.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

TEST(DeadlinesTest, AreMultiplesOfThePeriodWhateverTheDelay) {
  Deadlines deadlines(At(10.3), 1s);
  EXPECT_EQ(deadlines.next(), At(11));
  EXPECT_EQ(deadlines.Pass(At(11.002)), 0u);
  EXPECT_EQ(deadlines.next(), At(12));
}

TEST(DeadlinesTest, MissedOnesAreCountedNotMadeUpFor) {
  Deadlines deadlines(At(10.3), 1s);
  EXPECT_EQ(deadlines.Pass(At(14.5)), 3u);
  EXPECT_EQ(deadlines.next(), At(15));
}

TEST(DeadlinesTest, AlarmThatRingsEarlyCostsNoSecondSweep) {
  Deadlines deadlines(At(10.3), 1s);
  EXPECT_EQ(deadlines.Pass(At(10.9999)), 0u);
  EXPECT_EQ(deadlines.next(), At(12));
}

// Says one channel, and stands still in its read while it is told to.
class TestSource final : public Source {
 public:
  explicit TestSource(std::uint32_t channel) : channel_{channel} {}
  Status Sample(Sink& sink) override {
    std::unique_lock lock(mutex_);
    is_inside_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return !is_held_; });
    is_inside_ = false;
    sink.Put(channel_, 1);
    return {};
  }
  void Hold() {
    const std::lock_guard lock(mutex_);
    is_held_ = true;
  }
  void AwaitInside() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_inside_ && is_held_; });
  }
  void Release() {
    const std::lock_guard lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }

 private:
  const ChannelId channel_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false;
  bool is_inside_ = false;
};

std::unique_ptr<SourceSlot> Slot(std::uint32_t channel, Nanos period, std::uint16_t group = 0) {
  return std::make_unique<SourceSlot>("s" + std::to_string(channel), GroupId{group}, period,
                                      std::make_unique<TestSource>(channel));
}

TestSource& SourceOf(const SourceSlot& slot) {
  return dynamic_cast<TestSource&>(*slot.source);
}

std::vector<Row> Rows(ReadingRing& ring) {
  RowAssembler assembler;
  std::vector<Row> rows;
  Reading reading;
  while (ring.TryPop(reading)) {
    assembler.Add(reading, [&](const Row& row) { rows.push_back(row); });
  }
  return rows;
}

TEST(SamplerTest, SourcesOfOnePeriodShareARowAndItsTime) {
  std::vector<std::unique_ptr<SourceSlot>> slots;
  slots.push_back(Slot(0, 1s));
  slots.push_back(Slot(1, 1s));
  slots.push_back(Slot(2, 5s, 1));
  ReadingRing ring(64);
  Sampler sampler(slots, ring);
  for (const double at : {5.001, 6.001, 7.001, 10.001})
    ASSERT_TRUE(sampler.Sweep(At(at)));
  EXPECT_EQ(Rows(ring),
            (std::vector<Row>{
                RowAt(5.001, {Value(0, 1), Value(1, 1)}), RowAt(5.001, {Value(2, 1)}, 1),
                RowAt(6.001, {Value(0, 1), Value(1, 1)}), RowAt(7.001, {Value(0, 1), Value(1, 1)}),
                RowAt(10.001, {Value(0, 1), Value(1, 1)}), RowAt(10.001, {Value(2, 1)}, 1)}));
}

TEST(SamplerTest, ParkedSourceIsLeftOut) {
  std::vector<std::unique_ptr<SourceSlot>> slots;
  slots.push_back(Slot(0, 1s));
  slots.push_back(Slot(1, 1s));
  slots[0]->is_parked = true;
  ReadingRing ring(64);
  Sampler sampler(slots, ring);
  ASSERT_TRUE(sampler.Sweep(At(5)));
  EXPECT_EQ(Rows(ring), std::vector<Row>{RowAt(5, {Value(1, 1)})});
}

// Every source that the board has.
std::vector<std::unique_ptr<SourceSlot>> SlotsOf(const char* board, Channels& channels) {
  const GroupId group = channels.AddGroup("board", 200ms);
  std::vector<std::unique_ptr<SourceSlot>> slots;
  for (const SourceKind* kind : AllSourceKinds()) {
    auto source = kind->open(FixtureBoard(board), channels.BookOf(group));
    if (!source.ok()) continue;
    slots.push_back(
        std::make_unique<SourceSlot>(std::string(kind->name), group, 200ms, *std::move(source)));
  }
  return slots;
}

TEST(SamplerTest, SweepOverEverySourceOfEveryBoardAllocatesNothing) {
  for (const char* board :
       {"orin-agx-sysfs", "thor-agx-sysfs", "xavier-nx", "ti-j721e", "plain-linux"}) {
    Channels channels;
    const auto slots = SlotsOf(board, channels);
    ASSERT_FALSE(slots.empty()) << board;
    ReadingRing ring(4096);
    Sampler sampler(slots, ring);
    const AllocationCounter counter;
    ASSERT_TRUE(sampler.Sweep(At(5)));
    ASSERT_TRUE(sampler.Sweep(At(6)));
    EXPECT_EQ(counter.count(), 0u) << board;
    EXPECT_FALSE(Rows(ring).empty()) << board;
  }
}

// All that happens to a sweep but the sealing of its second: from every source through the ring
// into row, check, flight ring, summaries and the status.
TEST(SamplerTest, SweepAllTheWayIntoRingAndFoldAllocatesNothing) {
  for (const char* board :
       {"orin-agx-sysfs", "thor-agx-sysfs", "xavier-nx", "ti-j721e", "plain-linux"}) {
    Channels channels;
    const auto slots = SlotsOf(board, channels);
    ReadingRing ring(4096);
    Sampler sampler(slots, ring);
    RowAssembler rows;
    RowCheck check;
    check.Learn(channels.Snapshot());
    Status why;
    const auto flight = FlightRing::Open({.file = {}, .bytes = 64 << 10}, {}, why);
    Summaries summaries;
    Latest latest;
    std::size_t taken = 0;
    const auto sweep = [&](double at) {
      EXPECT_TRUE(sampler.Sweep(At(at)));
      Reading reading;
      while (ring.TryPop(reading)) {
        rows.Add(reading, [&](const Row& read) {
          const Row& row = check.Checked(read);
          flight->Write(row, DictionaryHash{1});
          summaries.Add(row);
          latest.Take(row);
          ++taken;
        });
      }
    };
    // Sweeps of 5 Hz: raw rows first, then folds. One whole second, and the first row of the next.
    for (int i = 0; i < 6; ++i)
      sweep(5 + 0.2 * i);
    const AllocationCounter counter;
    for (int i = 6; i < 10; ++i)
      sweep(5 + 0.2 * i);
    EXPECT_EQ(counter.count(), 0u) << board;
    EXPECT_EQ(taken, 10u) << board;
  }
}

// A pool over three sources at 1 kHz; Watch is the loop's look of each second.
class SamplerPoolTest : public testing::Test {
 protected:
  SamplerPoolTest() {
    std::vector<std::unique_ptr<SourceSlot>> slots;
    for (std::uint32_t channel = 0; channel < 3; ++channel)
      slots.push_back(Slot(channel, 1ms));
    pool_ = std::make_unique<SamplerPool>(clock_, std::move(slots), 1ms, 1 << 14);
    pool_->Start();
  }
  ~SamplerPoolTest() override {
    for (const auto& slot : pool_->slots())
      SourceOf(*slot).Release();
  }

  TestSource& source(std::size_t index) { return SourceOf(*pool_->slots()[index]); }

  // Watches until a change comes.
  SamplerPool::Change NextChange() {
    std::vector<SamplerPool::Change> changes;
    const bool has_come = WaitFor([&] {
      changes = pool_->Watch();
      return !changes.empty();
    });
    EXPECT_TRUE(has_come);
    return changes.empty() ? SamplerPool::Change{} : changes.front();
  }
  // Rows that came, once the last of them has as many cells as asked for.
  bool AwaitRowOf(std::size_t cells) {
    return WaitFor([&] {
      std::size_t last = 0;
      pool_->Drain([&](const Row& row) { last = row.cells.size(); });
      return last == cells;
    });
  }

  PosixClock clock_;
  std::unique_ptr<SamplerPool> pool_;
};

TEST_F(SamplerPoolTest, SourceThatHoldsUpTheSweepIsParkedAndTheOthersGoOn) {
  ASSERT_TRUE(AwaitRowOf(3));
  source(1).Hold();
  source(1).AwaitInside();
  const auto lost = NextChange();
  EXPECT_EQ(lost.source, "s1");
  EXPECT_TRUE(lost.is_lost);
  EXPECT_TRUE(AwaitRowOf(2));
  EXPECT_EQ(pool_->counters().parked, 1u);
}

TEST_F(SamplerPoolTest, SourceThatReturnsAndStaysHealthyIsBack) {
  source(1).Hold();
  source(1).AwaitInside();
  EXPECT_TRUE(NextChange().is_lost);
  source(1).Release();
  const auto back = NextChange();
  EXPECT_EQ(back.source, "s1");
  EXPECT_FALSE(back.is_lost);
  EXPECT_TRUE(AwaitRowOf(3));
  EXPECT_EQ(pool_->counters().parked, 0u);
}

TEST_F(SamplerPoolTest, TwoSourcesMayBeStuckAtOnce) {
  source(0).Hold();
  source(0).AwaitInside();
  EXPECT_EQ(NextChange().source, "s0");
  source(2).Hold();
  source(2).AwaitInside();
  EXPECT_EQ(NextChange().source, "s2");
  EXPECT_TRUE(AwaitRowOf(1));
  pool_->Stop();
  EXPECT_FALSE(pool_->has_ended());
  source(0).Release();
  source(2).Release();
  EXPECT_TRUE(WaitFor([&] { return pool_->has_ended(); }));
}

TEST_F(SamplerPoolTest, ReadingsBeforeTheStuckReadAreNotLost) {
  source(2).Hold();
  source(2).AwaitInside();
  pool_->Drain([](const Row&) {});
  EXPECT_TRUE(NextChange().is_lost);
  std::vector<Row> rows;
  pool_->Drain([&](const Row& row) { rows.push_back(row); });
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().cells, (std::vector<Cell>{Value(0, 1), Value(1, 1)}));
}

TEST(SamplerPoolWithoutSourcesTest, RunsNoThreadAndEndsAtOnce) {
  const PosixClock clock;
  SamplerPool pool(clock, {}, 1s, 64);
  pool.Start();
  EXPECT_TRUE(pool.Watch().empty());
  pool.Stop();
  EXPECT_TRUE(pool.has_ended());
}

}  // namespace
}  // namespace tacho
