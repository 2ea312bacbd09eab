// Waits, on a thread of its own, for what reaches the uplink from this machine: the recorder's
// datagrams and the operator's signals.
#pragma once

#include <filesystem>
#include <functional>
#include <thread>

namespace tacho {

// Called on the doorbell's thread.
struct DoorbellEvents {
  std::function<void(bool is_urgent)> on_wake;  // several datagrams in a row may become one
  std::function<void()> on_stop;                // SIGTERM or SIGINT
};

class Doorbell {
 public:
  // In main, before any other thread starts: those signals must then be delivered to this thread
  // only.
  static void BlockSignals();

  // `socket` is bound here, over whatever lies there. Where it cannot be, as long as its folder is
  // not there yet, the uplink is not woken and looks by itself; it is tried again every minute.
  Doorbell(std::filesystem::path socket, DoorbellEvents events);
  ~Doorbell();
  Doorbell(const Doorbell&) = delete;
  Doorbell& operator=(const Doorbell&) = delete;

 private:
  void Listen();
  bool Bind();
  void TakeDatagrams();
  bool TakeSignal();

  const std::filesystem::path path_;
  const DoorbellEvents events_;
  int signals_ = -1;
  int end_ = -1;  // an eventfd that the destructor writes
  int socket_ = -1;
  std::jthread thread_;
};

}  // namespace tacho
