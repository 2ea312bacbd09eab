// One connection of the local socket: what it sent, what it is owed, what waits to be sent.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "common/time.h"

namespace tacho {

// Loop thread. Owns the connection.
class LocalClient {
 public:
  LocalClient(int connection, bool may_change) : connection_(connection), may_change_(may_change) {}
  ~LocalClient();
  LocalClient(const LocalClient&) = delete;
  LocalClient& operator=(const LocalClient&) = delete;

  int connection() const { return connection_; }
  bool may_change() const { return may_change_; }

  // Reads what is there, up to `most` bytes held. False when the connection failed.
  bool Receive(std::size_t most);
  // The next complete line, if any; it is valid until Receive. Empty lines are skipped.
  std::optional<std::string_view> NextLine();
  bool HasLine() const { return in_.find('\n', taken_) != std::string::npos; }
  // Bytes of the line that has no end yet.
  std::size_t unfinished() const { return in_.size() - taken_; }
  bool has_ended() const { return has_ended_; }
  // What it sends from now on is not looked at; it is closed once its answers are out.
  void StopListening() { has_ended_ = true; }

  // It will take no answers any more: what it is owed is dropped, now and later.
  void Abandon();
  bool is_abandoned() const { return is_abandoned_; }

  // The next request; it is owed an answer.
  std::uint64_t Expect();
  void Answer(std::uint64_t request, std::string line);
  std::size_t unanswered() const { return answers_.size(); }

  // Sends what can be sent. False when the connection failed.
  bool Send();
  std::size_t unsent() const { return out_.size() - sent_; }
  bool is_done() const { return has_ended_ && answers_.empty() && unsent() == 0 && !HasLine(); }
  // Whether answers have waited for longer than `limit` without a byte being taken.
  bool IsStuck(BootTime now, Nanos limit);

 private:
  const int connection_;
  const bool may_change_;
  std::string in_;
  std::size_t taken_ = 0;    // bytes of in_ that were given out as lines
  std::uint64_t first_ = 0;  // request that answers_.front() belongs to
  std::deque<std::optional<std::string>> answers_;
  std::string out_;
  std::size_t sent_ = 0;
  std::optional<BootTime> stuck_since_;
  bool has_ended_ = false;
  bool is_abandoned_ = false;
};

}  // namespace tacho
