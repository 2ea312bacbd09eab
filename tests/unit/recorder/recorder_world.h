// A whole recorder core in a test: fake clock and loop, a real spool in memory.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/recorder/recorder.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_scheduler.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/spool_world.h"
#include "tests/support/temp_folder.h"
#include "tests/support/waiting.h"
#include "tests/unit/recorder/rows.h"

namespace tacho {

// A feed that says what the test says, on the test's thread.
class ScriptedFeed final : public Feed {
 public:
  Status Start(SweepSink& sink) override {
    sink_ = &sink;
    return {};
  }
  void Stop() override {}
  FeedHealth health() const override { return health_; }
  void Fare(FeedHealth health) { health_ = std::move(health); }
  void Say(double at, std::vector<Cell> cells) {
    sink_->Begin(At(at));
    for (const Cell& cell : cells) {
      cell.why == Why::kPresent ? sink_->Put(cell.channel, cell.value)
                                : sink_->Absent(cell.channel, cell.why);
    }
    sink_->End();
  }

 private:
  SweepSink* sink_ = nullptr;
  FeedHealth health_;
};

// One life of a recorder: from Start to Stop or Kill. The disk and the folder outlive it.
class RecorderLife {
 public:
  RecorderLife(FakeClock& clock, Disk& disk, std::filesystem::path folder, BootId boot)
      : clock_(clock),
        intake_(std::make_unique<SamplerPool>(clock, std::vector<std::unique_ptr<SourceSlot>>{},
                                              std::chrono::seconds(1), 64)),
        flight_(OpenFlight(folder, boot)),
        spool_(clock, loop_, 1 << 20,
               [this, &disk, boot] {
                 auto writer = SpoolWriter::Open(
                     {.folder = "/spool", .segment_bytes = 1 << 18}, disk, boot,
                     [this] { return ++random_; }, clock_.Boot());
                 BootReport report;
                 report.agent = "tachod test";
                 return std::make_unique<SpoolWorker>(
                     std::move(writer), SyncConfig{}, report, [](bool) {}, clock_.Boot());
               }),
        group_(channels_.AddGroup("board", std::chrono::seconds(1))),
        recorder_({clock, channels_, intake_, *flight_, spool_}, RunFile({folder / "run.json"}),
                  boot, std::chrono::hours(1)) {
    auto feed = std::make_unique<ScriptedFeed>();
    feed_ = feed.get();
    intake_.Add(std::make_unique<FeedPort>("scripted", group_, std::chrono::seconds(1), 1024,
                                           std::move(feed)));
  }

  void Start() {
    recorder_.Start();
    spool_.Start();
    intake_.Start(clock_.Boot());
  }
  void Stop() {
    recorder_.Stop();
    EXPECT_TRUE(WaitFor([&] { return spool_.has_ended(); }));
    loop_.RunPosted();
  }
  // The process dies: what is in the spool stays, nothing is closed. (The thread must end, though.)
  void TickAt(double at) {
    clock_.SetBoot(At(at));
    recorder_.Tick();
  }
  // Waits until the spool thread has answered all that was asked.
  template <class IsDone>
  bool Await(IsDone is_done) {
    return WaitFor([&] {
      loop_.RunPosted();
      return is_done();
    });
  }
  ChannelId Add(const MetricDef& metric, std::string instance = "") {
    return channels_.BookOf(group_).Add(metric, std::move(instance));
  }

  Recorder& recorder() { return recorder_; }
  ScriptedFeed& feed() { return *feed_; }
  Channels& channels() { return channels_; }
  SpoolThread& spool() { return spool_; }
  FakeScheduler& loop() { return loop_; }

 private:
  static std::unique_ptr<FlightRing> OpenFlight(const std::filesystem::path& folder, BootId boot) {
    Status why;
    return FlightRing::Open({.file = folder / "flight", .bytes = 64 << 10}, boot, why);
  }

  FakeClock& clock_;
  FakeScheduler loop_;
  Channels channels_;
  Intake intake_;
  std::unique_ptr<FlightRing> flight_;
  std::uint64_t random_ = 40;
  SpoolThread spool_;
  GroupId group_;
  Recorder recorder_;
  ScriptedFeed* feed_ = nullptr;
};

}  // namespace tacho
