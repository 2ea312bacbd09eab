// What goes down to a robot from any thread comes out in order, bounded, once.
#include "rpc/handover.h"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tacho {

namespace {

using Lines = std::vector<std::string>;

Down Numbered(int number) {
  return Throttle{Nanos(number)};
}

std::string Name(const Down& message) {
  return std::to_string(std::get<Throttle>(message).pause.count());
}

// Writes nothing until the test completes the write.
class HeldWriter final : public HandoverWriter {
 public:
  void StartWrite(Down message) override { lines.push_back(Name(message)); }
  void Finish(const Status& why) override { lines.push_back("end " + why.message()); }
  Lines lines;
};

TEST(Handover, WritesOneMessageAtATimeInOrder) {
  HeldWriter writer;
  Handover handover(writer, 10);
  handover.Push(Numbered(1));
  handover.Push(Numbered(2));
  EXPECT_EQ(writer.lines, (Lines{"1"}));
  handover.Written(true);
  EXPECT_EQ(writer.lines, (Lines{"1", "2"}));
}

TEST(Handover, EndsAfterWhatWasPushedBefore) {
  HeldWriter writer;
  Handover handover(writer, 10);
  handover.Push(Numbered(1));
  handover.Push(Numbered(2));
  handover.End(Status(Code::kDenied, "no"));
  handover.End(Status(Code::kInternal, "later"));
  handover.Push(Numbered(3));
  handover.Written(true);
  handover.Written(true);
  EXPECT_EQ(writer.lines, (Lines{"1", "2", "end no"}));
  EXPECT_EQ(handover.dropped(), 1u);
}

TEST(Handover, EndsAtOnceWhenNothingWaits) {
  HeldWriter writer;
  Handover handover(writer, 10);
  handover.End(Status());
  EXPECT_EQ(writer.lines, (Lines{"end "}));
}

TEST(Handover, AbandonedDropsWhatWaitsButNotTheWriteInFlight) {
  HeldWriter writer;
  Handover handover(writer, 10);
  handover.Push(Numbered(1));
  handover.Push(Numbered(2));
  handover.End(Status(Code::kDenied, "no"));
  handover.Abandon(Status(Code::kUnavailable, "gone"));
  EXPECT_EQ(writer.lines, (Lines{"1"}));
  handover.Written(false);
  EXPECT_EQ(writer.lines, (Lines{"1", "end no"}));
  EXPECT_EQ(handover.dropped(), 1u);
}

TEST(Handover, EndsWhenAWriteFails) {
  HeldWriter writer;
  Handover handover(writer, 10);
  handover.Push(Numbered(1));
  handover.Push(Numbered(2));
  handover.Written(false);
  EXPECT_EQ(writer.lines, (Lines{"1", "end the robot is gone"}));
  EXPECT_EQ(handover.dropped(), 1u);
}

TEST(Handover, EndsTheStreamOfAReaderThatNeverReads) {
  HeldWriter writer;
  Handover handover(writer, 2);
  for (int i = 1; i <= 4; ++i) {
    handover.Push(Numbered(i));
  }
  handover.Written(true);
  EXPECT_EQ(writer.lines, (Lines{"1", "end the robot does not read what it is told"}));
  EXPECT_EQ(handover.dropped(), 3u);
}

// Completes each write on another thread, as gRPC does, and notes every broken promise.
class ThreadedWriter final : public HandoverWriter {
 public:
  void StartWrite(Down message) override {
    if (is_writing.exchange(true) || is_finished) broken = true;
    {
      const std::lock_guard lock(mutex_);
      lines_.push_back(Name(message));
    }
    due.fetch_add(1);
    due.notify_one();
  }
  void Finish(const Status&) override {
    if (is_writing || is_finished.exchange(true)) broken = true;
    due.fetch_add(1);
    due.notify_one();
  }
  // Runs until Finish. From the write number `fails_from` on none succeeds.
  void Complete(Handover& handover, int fails_from) {
    for (int done = 0;; ++done) {
      due.wait(done);
      if (is_finished) return;
      is_writing = false;
      handover.Written(done < fails_from);
    }
  }
  Lines lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

  std::atomic<bool> is_writing{false};
  std::atomic<bool> is_finished{false};
  std::atomic<bool> broken{false};
  std::atomic<int> due{0};

 private:
  std::mutex mutex_;
  Lines lines_;
};

// Who does what to one handover at once, each on a thread of its own.
struct Storm {
  const char* name;
  std::size_t limit;
  int enders = 0;              // after half of the pushes are made
  int abandoners = 0;          // the same
  int fails_from = 1'000'000;  // the write that fails first
};

class HandoverStorm : public testing::TestWithParam<Storm> {
 protected:
  static constexpr int kPushers = 6;
  static constexpr int kEach = 200;

  // Pusher p says p * kEach, p * kEach + 1, ...
  void Push(Handover& handover, int pusher) {
    for (int i = 0; i < kEach; ++i) {
      handover.Push(Numbered(pusher * kEach + i));
      pushed_.fetch_add(1);
    }
  }
  void AwaitHalf() const {
    while (pushed_ < kPushers * kEach / 2)
      std::this_thread::yield();
  }
  void Rage(Handover& handover, ThreadedWriter& writer) {
    const Storm& storm = GetParam();
    pushed_ = 0;
    std::jthread completer([&] { writer.Complete(handover, storm.fails_from); });
    {
      std::vector<std::jthread> threads;
      for (int p = 0; p < kPushers; ++p)
        threads.emplace_back([&, p] { Push(handover, p); });
      for (int i = 0; i < storm.enders; ++i) {
        threads.emplace_back([&] {
          AwaitHalf();
          handover.End(Status(Code::kDenied, "no"));
        });
      }
      for (int i = 0; i < storm.abandoners; ++i) {
        threads.emplace_back([&] {
          AwaitHalf();
          handover.Abandon(Status(Code::kUnavailable, "gone"));
        });
      }
    }
    handover.End(Status());
  }
  // What came of each pusher's numbers is where it began, without a hole.
  static void ExpectBeginnings(const Lines& lines) {
    std::vector<int> next(kPushers);
    for (const std::string& line : lines) {
      const int number = std::stoi(line);
      ASSERT_EQ(number % kEach, next[static_cast<std::size_t>(number / kEach)]++);
    }
  }

 private:
  std::atomic<int> pushed_{0};
};

TEST_P(HandoverStorm, WritesEachBeginningInOrderCountsTheRestAndEndsOnce) {
  constexpr auto kAll = static_cast<std::uint64_t>(kPushers * kEach);
  for (int round = 0; round < 20; ++round) {
    ThreadedWriter writer;
    Handover handover(writer, GetParam().limit);
    Rage(handover, writer);
    EXPECT_FALSE(writer.broken);
    EXPECT_TRUE(writer.is_finished);
    const Lines lines = writer.lines();
    EXPECT_EQ(lines.size() + handover.dropped(), kAll);
    ExpectBeginnings(lines);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Handover, HandoverStorm,
    testing::Values(Storm{.name = "NothingEndsIt", .limit = 100'000},
                    Storm{.name = "ManyEndIt", .limit = 100'000, .enders = 3},
                    Storm{.name = "ManyAbandonIt", .limit = 100'000, .abandoners = 3},
                    Storm{.name = "BothAtOnce", .limit = 100'000, .enders = 2, .abandoners = 2},
                    Storm{.name = "TheReaderIsSlow", .limit = 8},
                    Storm{.name = "AWriteFails", .limit = 100'000, .fails_from = 50},
                    Storm{.name = "TheFirstWriteFails", .limit = 100'000, .fails_from = 0},
                    Storm{.name = "AWriteFailsWhileBothEndIt",
                          .limit = 64,
                          .enders = 2,
                          .abandoners = 2,
                          .fails_from = 300}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Handover, TakesFromManyThreadsAndLosesNothingBeforeTheEnd) {
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  ThreadedWriter writer;
  Handover handover(writer, kThreads * kEach);
  std::jthread completer([&] { writer.Complete(handover, kThreads * kEach); });
  {
    std::vector<std::jthread> pushers;
    for (int thread = 0; thread < kThreads; ++thread) {
      pushers.emplace_back([&handover] {
        for (int i = 0; i < kEach; ++i) {
          handover.Push(Numbered(i));
        }
      });
    }
  }
  handover.End(Status());
  completer.join();
  EXPECT_FALSE(writer.broken);
  EXPECT_EQ(writer.lines().size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_EQ(handover.dropped(), 0u);
}

}  // namespace

}  // namespace tacho
