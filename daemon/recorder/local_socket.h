// The recorder's unix socket: lines in, lines out, in order (docs/formats/local.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/time.h"
#include "daemon/recorder/local_client.h"

namespace tacho {

struct LocalLimits {
  std::size_t line_bytes = 64 << 10;
  std::size_t clients = 64;
  std::size_t unanswered = 4096;         // requests of one client; then it is not read any further
  std::size_t unsent_bytes = 256 << 10;  // answers of one client; then it is not read any further
  Nanos unsent_for = std::chrono::seconds(30);  // a client that takes nothing for so long is closed
  std::size_t lines_a_turn = 16;  // of one client; then it is the others' turn, and the loop's
};

// Loop thread. Never blocks: one descriptor becomes readable when Serve has something to do.
// Clients are served in turn, a few lines each, so that none of them makes the others or the loop
// wait.
class LocalSocket {
 public:
  // Names one request of one client. An answer to a client that left is dropped.
  struct Ticket {
    std::uint64_t client = 0;
    std::uint64_t request = 0;
  };
  struct Request {
    Ticket ticket;
    std::string_view line;
    bool may_change = false;  // root, the recorder's own user, or a member of its group
    bool is_awaited = true;   // false: the client has left, nobody will hear the answer
  };
  // The handler may answer before it returns.
  using Handler = std::function<void(const Request& request)>;

  // Whether a program listens at `path` now: another recorder.
  static bool IsServed(const std::filesystem::path& path);

  // Replaces a socket file that a dead recorder left. Fails when the folder cannot be written.
  static Result<std::unique_ptr<LocalSocket>> Open(const std::filesystem::path& path,
                                                   LocalLimits limits, Handler handler);
  ~LocalSocket();
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;

  int descriptor() const { return epoll_; }
  // One turn. The descriptor stays readable while somebody waits for another.
  void Serve();
  // Answers a request; it is sent once those before it are answered.
  void Answer(Ticket ticket, std::string line);
  // Closes clients that take no answers. Each second or so.
  void Tick(BootTime now);

  std::size_t clients() const { return clients_.size(); }
  std::uint64_t refused() const { return refused_; }

 private:
  // The descriptors that a socket consists of.
  struct Descriptors {
    int listener = -1;
    int epoll = -1;
    int more = -1;  // up while clients wait for their next turn
  };

  LocalSocket(std::filesystem::path path, Descriptors descriptors, LocalLimits limits,
              Handler handler);
  void Accept();
  // Takes a client's turn: reads, handles and sends what can be.
  void Serve(std::uint64_t id, LocalClient& client);
  // The turn of a client that has left. False when nothing it sent is left.
  bool SayFarewell(std::uint64_t id, LocalClient& client);
  // Sends what can be, and says what to wait for next; closes it when it is done.
  void Settle(std::uint64_t id, LocalClient& client);
  // Hands over complete lines, as many as a turn and the limits allow.
  void TakeLines(std::uint64_t id, LocalClient& client);
  bool HasRoom(const LocalClient& client) const;
  void Close(std::uint64_t id);
  // Gives the client another turn.
  void Queue(std::uint64_t id);

  const std::filesystem::path path_;
  const int listener_;
  const int epoll_;
  const int more_;
  const LocalLimits limits_;
  const Handler handler_;
  std::map<std::uint64_t, std::unique_ptr<LocalClient>> clients_;
  std::set<std::uint64_t> queue_;  // clients with lines that wait for a turn
  std::uint64_t serving_ = 0;      // the client whose lines are being handed over
  std::uint64_t next_client_ = 1;
  std::uint64_t refused_ = 0;
};

}  // namespace tacho
