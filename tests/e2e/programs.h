// The real programs of one robot and its server on loopback, in one folder, started and killed at
// will.
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "tests/support/child_program.h"

namespace tacho {

// A port of loopback that nobody listens at now.
inline int FreePort() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(probe, any, size) != 0 || ::getsockname(probe, any, &size) != 0) {
    ADD_FAILURE() << "no port of loopback is free";
  }
  ::close(probe);
  return ntohs(address.sin_port);
}

// One program through all its lives; each life has a log of its own.
class Program {
 public:
  Program(std::string name, std::filesystem::path folder, std::filesystem::path config)
      : name_(std::move(name)), folder_(std::move(folder)), config_(std::move(config)) {}

  static std::string Path(const std::string& name) { return TACHO_BINARY_DIR "/bin/" + name; }

  void Start() {
    ++lives_;
    child_ = std::make_unique<ChildProgram>(
        std::vector<std::string>{Path(name_), "--config", config_.string()}, log());
  }
  void Kill() {
    child_->Signal(SIGKILL);
    EXPECT_EQ(child_->AwaitExit(), -SIGKILL) << name_ << " ended by itself: " << child_->Printed();
    child_.reset();
  }
  void Stop() {
    child_->Signal(SIGTERM);
    EXPECT_EQ(child_->AwaitExit(), 0) << name_ << ": " << child_->Printed();
    child_.reset();
  }

  bool is_running() const { return child_ != nullptr; }
  int lives() const { return lives_; }
  // What its present or last life printed.
  std::string Printed() const {
    std::ifstream file(log());
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path log() const {
    return folder_ / (name_ + "." + std::to_string(lives_) + ".log");
  }

  const std::string name_;
  const std::filesystem::path folder_;
  const std::filesystem::path config_;
  int lives_ = 0;
  std::unique_ptr<ChildProgram> child_;
};

// The configuration files, and the three programs that read them. Robot rb12 on an Orin's board.
class RealFleet {
 public:
  struct Options {
    std::string spool_max = "64MiB";
    std::string spool_segment = "1MiB";
    std::string data{};   // of the server; empty: in the folder
    std::string spool{};  // the same
  };

  explicit RealFleet(const std::filesystem::path& folder) : RealFleet(folder, Options()) {}
  RealFleet(const std::filesystem::path& folder, Options options)
      : folder_(folder),
        options_(std::move(options)),
        port_(FreePort()),
        recorder("tachod", folder, folder / "tachod.toml"),
        uplink("tacho-uplink", folder, folder / "uplink.toml"),
        server("tacho-server", folder, folder / "server.toml") {
    MakeBoard();
    WriteRecorder();
    WriteUplink();
    WriteServer("");
  }

  void StartAll() {
    server.Start();
    recorder.Start();
    uplink.Start();
  }
  void WriteServer(const std::string& more) {
    std::ofstream(folder_ / "server.toml") << "listen = \"127.0.0.1:" << port_ << "\"\n"
                                           << "data = " << data() << "\n"
                                           << more;
  }

  std::filesystem::path socket() const { return folder_ / "recorder.sock"; }
  std::filesystem::path spool() const {
    return options_.spool.empty() ? folder_ / "spool" : std::filesystem::path(options_.spool);
  }
  std::filesystem::path data() const {
    return options_.data.empty() ? folder_ / "server" : std::filesystem::path(options_.data);
  }
  std::string endpoint() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  static constexpr const char* kBootId = "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9";

  std::filesystem::path board() const { return folder_ / "board"; }
  // A copy that has a boot_id, so that all lives are of one boot.
  void MakeBoard() {
    std::filesystem::copy(TACHO_SOURCE_DIR "/tests/boards/orin-agx-sysfs", board(),
                          std::filesystem::copy_options::recursive);
    const auto random = board() / "proc/sys/kernel/random";
    std::filesystem::create_directories(random);
    std::ofstream(random / "boot_id") << kBootId << "\n";
  }
  void WriteRecorder() {
    std::ofstream(folder_ / "tachod.toml")
        << "system_root = " << board() << "\n[sampler]\nperiod = \"100ms\"\n"
        << "[feed.tegrastats]\nenabled = false\n"
        << "[spool]\nfolder = " << spool() << "\nmax = \"" << options_.spool_max
        << "\"\nsegment = \"" << options_.spool_segment << "\"\n"
        << "[flight]\nfile = " << folder_ / "flight"
        << "\nsize = \"1MiB\"\n"
        << "[local]\nsocket = " << socket() << "\n[wake]\nsocket = " << folder_ / "wake.sock"
        << "\n";
  }
  void WriteUplink() {
    std::ofstream(folder_ / "uplink.toml")
        << "robot = \"rb12\"\nserver = \"" << endpoint() << "\"\nsystem_root = " << board()
        << "\nflush = \"1s\"\nretry_at_most = \"1s\"\n[spool]\nfolder = " << spool()
        << "\n[wake]\nsocket = " << folder_ / "wake.sock"
        << "\n";
  }

  const std::filesystem::path folder_;
  const Options options_;
  const int port_;

 public:
  Program recorder;
  Program uplink;
  Program server;
};

}  // namespace tacho
