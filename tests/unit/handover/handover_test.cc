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
  // Runs until Finish.
  void Complete(Handover& handover) {
    for (int done = 0;; ++done) {
      due.wait(done);
      if (is_finished) return;
      is_writing = false;
      handover.Written(true);
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

TEST(Handover, TakesFromManyThreadsAndLosesNothingBeforeTheEnd) {
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  ThreadedWriter writer;
  Handover handover(writer, kThreads * kEach);
  std::jthread completer([&] { writer.Complete(handover); });
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

TEST(Handover, EndsOnceHoweverManyThreadsEndIt) {
  for (int round = 0; round < 50; ++round) {
    ThreadedWriter writer;
    Handover handover(writer, 100);
    std::jthread completer([&] { writer.Complete(handover); });
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 3; ++thread) {
        threads.emplace_back([&handover, thread] {
          for (int i = 0; i < 20; ++i) {
            handover.Push(Numbered(i));
          }
          if (thread == 0) handover.Abandon(Status(Code::kUnavailable, "gone"));
          handover.End(Status());
        });
      }
    }
    completer.join();
    EXPECT_FALSE(writer.broken);
  }
}

}  // namespace

}  // namespace tacho
