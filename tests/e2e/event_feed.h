// Robot programs inside a test that push events through the recorder's local socket, as many as it
// takes, and know which of them it said to have stored.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "common/ids.h"
#include "common/json.h"

namespace tacho {

// An event that the recorder answered with its seq. Its text is unlike that of any other.
struct Produced {
  std::string detail;
  int life = 0;  // of the recorder that answered
  Seq seq{};
};

// One connection at a time to the recorder's socket; -1 where nobody listens.
inline int ConnectLocal(const std::filesystem::path& path) {
  const int connection = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.native().copy(std::begin(address.sun_path), sizeof address.sun_path - 1);
  if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    return connection;
  }
  ::close(connection);
  return -1;
}

// One program: asks many things before it hears the first answer, and comes back after each death
// of the recorder with new events. On a thread of its own.
class EventFeed {
 public:
  EventFeed(std::filesystem::path socket, std::string name, const std::atomic<int>& life,
            int per_second)
      : socket_(std::move(socket)),
        name_(std::move(name)),
        life_(life),
        interval_(std::chrono::nanoseconds(1'000'000'000 / per_second)),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}

  // Waits for the answers that are due, then gives all that were stored.
  std::vector<Produced> Stop() {
    thread_.request_stop();
    thread_.join();
    return std::move(produced_);
  }
  std::uint64_t stored() const { return stored_.load(std::memory_order_relaxed); }
  std::uint64_t sent() const { return number_.load(std::memory_order_relaxed); }

 private:
  using SteadyClock = std::chrono::steady_clock;
  static constexpr std::size_t kMostUnanswered = 200;

  void Run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      connection_ = ConnectLocal(socket_);
      if (connection_ < 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        continue;
      }
      Talk(stop, life_.load());
      ::close(connection_);
      waiting_.clear();
      in_.clear();
    }
  }
  // Until the recorder dies, or all is answered that was asked before the stop.
  void Talk(const std::stop_token& stop, int life) {
    SteadyClock::time_point due = SteadyClock::now();
    while (true) {
      if (stop.stop_requested() && waiting_.empty()) return;
      while (!stop.stop_requested() && due <= SteadyClock::now() &&
             waiting_.size() < kMostUnanswered) {
        if (!SendOne()) return;
        due += interval_;
      }
      if (!Hear(life)) return;
    }
  }
  bool SendOne() {
    std::string detail = name_ + "-" + std::to_string(++number_);
    const std::string line = R"({"do":"event","kind":"fed","detail":")" + detail + "\"}\n";
    waiting_.push_back(std::move(detail));
    return ::send(connection_, line.data(), line.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(line.size());
  }
  bool Hear(int life) {
    pollfd ready{connection_, POLLIN, 0};
    if (::poll(&ready, 1, 2) == 0) return true;
    char buffer[16 << 10];
    const ssize_t got = ::recv(connection_, buffer, sizeof buffer, 0);
    if (got <= 0) return false;
    in_.append(buffer, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = in_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      Note(std::string_view(in_).substr(begin, end - begin), life);
    }
    in_.erase(0, begin);
    return true;
  }
  // Answers come in the order of the questions. One that was refused is nothing that was produced.
  void Note(std::string_view answer, int life) {
    const auto json = Json::Parse(answer);
    if (json.ok() && (*json)["ok"].AsBool()) {
      const auto seq = static_cast<std::uint64_t>((*json)["stored"].AsInt());
      produced_.push_back({waiting_.front(), life, Seq{seq}});
      stored_.fetch_add(1, std::memory_order_relaxed);
    }
    waiting_.pop_front();
  }

  const std::filesystem::path socket_;
  const std::string name_;
  const std::atomic<int>& life_;
  const std::chrono::nanoseconds interval_;
  int connection_ = -1;
  std::string in_;
  std::deque<std::string> waiting_;
  std::vector<Produced> produced_;
  std::atomic<std::uint64_t> number_{0};
  std::atomic<std::uint64_t> stored_{0};
  std::jthread thread_;  // last: starts when all else is there
};

}  // namespace tacho
