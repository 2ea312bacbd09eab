// A robot inside a test: the whole recorder on a hand-cranked clock, and the real uplink.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "daemon/recorder/tachod.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/uplink/spool_source.h"
#include "daemon/uplink/uplink.h"
#include "rpc/cq_loop.h"
#include "rpc/grpc_link.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_scheduler.h"
#include "tests/support/waiting.h"

namespace tacho {

inline std::uint64_t RandomBits() {
  static std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

inline SpoolConfig SpoolIn(const std::filesystem::path& folder, std::int64_t max_bytes = 8 << 20,
                           std::int64_t segment_bytes = 256 << 10) {
  SpoolConfig config;
  config.folder = folder / "spool";
  config.max_bytes = max_bytes;
  config.segment_bytes = segment_bytes;
  return config;
}

// A board without sensors but for a pipe in place of tegrastats, into which the test writes lines.
class TestRobot {
 public:
  TestRobot(const std::filesystem::path& folder, FakeClock& clock, SpoolConfig spool)
      : clock_(clock), loop_(clock), pipe_path_(folder / "tegrastats.pipe") {
    std::filesystem::create_directories(folder / "board/proc/sys/kernel/random");
    std::ofstream(folder / "board/proc/sys/kernel/random/boot_id") << kBoot << "\n";
    EXPECT_EQ(::mkfifo(pipe_path_.c_str(), 0600), 0);
    config_.system_root = folder / "board";
    config_.sources["self"].is_enabled = false;
    config_.tegrastats.file = pipe_path_;
    config_.tegrastats.interval = std::chrono::milliseconds(500);
    config_.spool = std::move(spool);
    config_.flight.file = folder / "flight";
    config_.local_socket = folder / "recorder.sock";
    config_.wake_socket = folder / "wake.sock";
    StartRecorder();
  }
  ~TestRobot() {
    if (recorder_) StopRecorder();
    if (pipe_ >= 0) ::close(pipe_);
  }

  // Writes one line, waits until the feed took it, then lets `period` pass.
  void Say(std::string_view line, Nanos period) {
    const std::string text = std::string(line) + "\n";
    ASSERT_EQ(::write(pipe_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ++said_;
    ASSERT_TRUE(WaitFor([this] { return tegrastats().lines >= said_; }));
    loop_.Advance(period);
  }
  void Pass(Nanos time) { loop_.Advance(time); }
  void LookAtClock() { recorder_->recorder().LookAtClock(); }

  // Ends the recorder cleanly: all it took in is in the spool.
  void StopRecorder() {
    bool has_stopped = false;
    recorder_->Stop([&] { has_stopped = true; });
    EXPECT_TRUE(WaitFor([&] {
      loop_.Advance(std::chrono::milliseconds(20));
      return has_stopped;
    }));
    recorder_.reset();
  }

  // Records that were given a seq, the spool's own gap records among them.
  // Requires: the recorder was stopped, and the spool still holds the end of each stream.
  std::uint64_t produced() {
    SpoolReader reader(config_.spool.folder, disk_);
    EXPECT_TRUE(reader.Refresh().ok());
    std::uint64_t records = 0;
    for (const SpooledStream& stream : reader.Streams()) {
      records += Number(stream.last);
    }
    return records;
  }
  const TegrastatsCounters& tegrastats() { return *recorder_->recorder().parts().tegrastats; }
  BootId boot() const { return *BootId::Parse(kBoot); }
  const std::filesystem::path& spool_folder() const { return config_.spool.folder; }

 private:
  static constexpr const char* kBoot = "6f1d5a80-3c2b-4e9f-8d71-0a9b8c7d6e5f";

  void StartRecorder() {
    recorder_ = std::make_unique<Tachod>(
        TachodWorld{clock_, loop_, disk_, RandomBits, "tachod test"}, config_);
    recorder_->Start();
    pipe_ = ::open(pipe_path_.c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_GE(pipe_, 0);
  }

  FakeClock& clock_;
  FakeScheduler loop_;
  PosixDisk disk_;
  const std::filesystem::path pipe_path_;
  RecorderConfig config_;
  std::unique_ptr<Tachod> recorder_;
  int pipe_ = -1;
  std::uint64_t said_ = 0;
};

// The uplink of a robot, on its own thread and real time.
class TestUplink {
 public:
  TestUplink(const std::filesystem::path& spool, const Clock& clock, const Endpoint& endpoint,
             BootId boot)
      : spool_(spool, disk_),
        link_(MakeGrpcLink(loop_, endpoint)),
        uplink_(loop_, clock, spool_, *link_, ConfigFor(boot), RandomBits),
        thread_([this] {
          uplink_.Start();
          loop_.Run();
        }) {}
  ~TestUplink() {
    std::promise<void> stopped;
    loop_.Post([&] {
      uplink_.Stop(std::chrono::seconds(2), [&] {
        stopped.set_value();
        loop_.Stop();
      });
    });
    stopped.get_future().wait();
    thread_.join();
  }

  void Wake() {
    loop_.Post([this] { uplink_.Wake(true); });
  }

 private:
  static UplinkConfig ConfigFor(BootId boot) {
    UplinkConfig config;
    config.robot = "rb12";
    config.boot = boot;
    config.agent = "tacho-uplink test";
    config.flush_interval = std::chrono::milliseconds(50);
    config.look_interval = std::chrono::milliseconds(50);
    config.backoff = {std::chrono::milliseconds(5), std::chrono::milliseconds(50)};
    return config;
  }

  PosixDisk disk_;
  SpoolSource spool_;
  CqLoop loop_;
  std::unique_ptr<Link> link_;
  Uplink uplink_;
  std::thread thread_;
};

}  // namespace tacho
