#include "rpc/outbox.h"

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
class HeldWriter final : public OutboxWriter {
 public:
  void StartWrite(Down message) override { lines.push_back(Name(message)); }
  void Finish(const Status& why) override { lines.push_back("end " + why.message()); }
  Lines lines;
};

TEST(Outbox, WritesOneMessageAtATimeInOrder) {
  HeldWriter writer;
  Outbox outbox(writer, 10);
  outbox.Push(Numbered(1));
  outbox.Push(Numbered(2));
  EXPECT_EQ(writer.lines, (Lines{"1"}));
  outbox.Written(true);
  EXPECT_EQ(writer.lines, (Lines{"1", "2"}));
}

TEST(Outbox, EndsAfterWhatWasPushedBefore) {
  HeldWriter writer;
  Outbox outbox(writer, 10);
  outbox.Push(Numbered(1));
  outbox.Push(Numbered(2));
  outbox.End(Status(Code::kDenied, "no"));
  outbox.End(Status(Code::kInternal, "later"));
  outbox.Push(Numbered(3));
  outbox.Written(true);
  outbox.Written(true);
  EXPECT_EQ(writer.lines, (Lines{"1", "2", "end no"}));
  EXPECT_EQ(outbox.dropped(), 1u);
}

TEST(Outbox, EndsAtOnceWhenNothingWaits) {
  HeldWriter writer;
  Outbox outbox(writer, 10);
  outbox.End(Status());
  EXPECT_EQ(writer.lines, (Lines{"end "}));
}

TEST(Outbox, AbandonedDropsWhatWaitsButNotTheWriteInFlight) {
  HeldWriter writer;
  Outbox outbox(writer, 10);
  outbox.Push(Numbered(1));
  outbox.Push(Numbered(2));
  outbox.End(Status(Code::kDenied, "no"));
  outbox.Abandon(Status(Code::kUnavailable, "gone"));
  EXPECT_EQ(writer.lines, (Lines{"1"}));
  outbox.Written(false);
  EXPECT_EQ(writer.lines, (Lines{"1", "end no"}));
  EXPECT_EQ(outbox.dropped(), 1u);
}

TEST(Outbox, EndsWhenAWriteFails) {
  HeldWriter writer;
  Outbox outbox(writer, 10);
  outbox.Push(Numbered(1));
  outbox.Push(Numbered(2));
  outbox.Written(false);
  EXPECT_EQ(writer.lines, (Lines{"1", "end the robot is gone"}));
  EXPECT_EQ(outbox.dropped(), 1u);
}

TEST(Outbox, EndsTheStreamOfAReaderThatNeverReads) {
  HeldWriter writer;
  Outbox outbox(writer, 2);
  for (int i = 1; i <= 4; ++i) {
    outbox.Push(Numbered(i));
  }
  outbox.Written(true);
  EXPECT_EQ(writer.lines, (Lines{"1", "end the robot does not read what it is told"}));
  EXPECT_EQ(outbox.dropped(), 3u);
}

// Completes each write on another thread, as gRPC does, and notes every broken promise.
class ThreadedWriter final : public OutboxWriter {
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
  void Complete(Outbox& outbox) {
    for (int done = 0;; ++done) {
      due.wait(done);
      if (is_finished) return;
      is_writing = false;
      outbox.Written(true);
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

TEST(Outbox, TakesFromManyThreadsAndLosesNothingBeforeTheEnd) {
  constexpr int kThreads = 4;
  constexpr int kEach = 500;
  ThreadedWriter writer;
  Outbox outbox(writer, kThreads * kEach);
  std::jthread completer([&] { writer.Complete(outbox); });
  {
    std::vector<std::jthread> pushers;
    for (int thread = 0; thread < kThreads; ++thread) {
      pushers.emplace_back([&outbox] {
        for (int i = 0; i < kEach; ++i) {
          outbox.Push(Numbered(i));
        }
      });
    }
  }
  outbox.End(Status());
  completer.join();
  EXPECT_FALSE(writer.broken);
  EXPECT_EQ(writer.lines().size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_EQ(outbox.dropped(), 0u);
}

TEST(Outbox, EndsOnceHoweverManyThreadsEndIt) {
  for (int round = 0; round < 50; ++round) {
    ThreadedWriter writer;
    Outbox outbox(writer, 100);
    std::jthread completer([&] { writer.Complete(outbox); });
    {
      std::vector<std::jthread> threads;
      for (int thread = 0; thread < 3; ++thread) {
        threads.emplace_back([&outbox, thread] {
          for (int i = 0; i < 20; ++i) {
            outbox.Push(Numbered(i));
          }
          if (thread == 0) outbox.Abandon(Status(Code::kUnavailable, "gone"));
          outbox.End(Status());
        });
      }
    }
    completer.join();
    EXPECT_FALSE(writer.broken);
  }
}

}  // namespace

}  // namespace tacho
