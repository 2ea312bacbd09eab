#include "daemon/uplink/doorbell.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "common/log.h"

namespace tacho {

namespace {

constexpr int kTryBindingAgainMs = 60'000;
// The recorder runs as another user of the same group; all it can do here is ring.
constexpr mode_t kGroupMayWrite = 0660;

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

void CloseIfOpen(int descriptor) {
  if (descriptor >= 0) close(descriptor);
}

}  // namespace

void Doorbell::BlockSignals() {
  const sigset_t signals = StopSignals();
  // It fails only for arguments that are not these: ignored since they are fixed.
  (void)pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

Doorbell::Doorbell(std::filesystem::path socket, DoorbellEvents events)
    : path_(std::move(socket)), events_(std::move(events)) {
  const sigset_t signals = StopSignals();
  signals_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  end_ = eventfd(0, EFD_CLOEXEC);
  if (!Bind()) {
    Log(LogLevel::kWarning,
        fmt::format("cannot listen for the recorder on {}: {}; the spool is looked at every minute",
                    path_.string(), std::strerror(errno)));
  }
  thread_ = std::jthread([this] { Listen(); });
}

Doorbell::~Doorbell() {
  const std::uint64_t one = 1;
  // A counter at its limit would be the only failure, and that rings too: ignored.
  (void)!write(end_, &one, sizeof one);
  thread_.join();
  if (socket_ >= 0) unlink(path_.c_str());
  CloseIfOpen(socket_);
  CloseIfOpen(signals_);
  CloseIfOpen(end_);
}

bool Doorbell::Bind() {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path_.native().size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return false;
  }
  std::ranges::copy(path_.native(), std::begin(address.sun_path));
  const int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return false;
  unlink(path_.c_str());  // what an uplink left that was killed; bind says what is wrong otherwise
  const void* raw = &address;
  if (bind(made, static_cast<const sockaddr*>(raw), sizeof address) != 0 ||
      chmod(path_.c_str(), kGroupMayWrite) != 0) {
    const int why = errno;
    close(made);
    errno = why;
    return false;
  }
  socket_ = made;
  return true;
}

void Doorbell::Listen() {
  while (true) {
    std::array<pollfd, 3> waiting = {
        {{end_, POLLIN, 0}, {signals_, POLLIN, 0}, {socket_, POLLIN, 0}}};
    const int count = poll(waiting.data(), waiting.size(), socket_ < 0 ? kTryBindingAgainMs : -1);
    if (waiting[0].revents != 0) return;
    if (waiting[1].revents != 0 && TakeSignal()) events_.on_stop();
    if (waiting[2].revents != 0) TakeDatagrams();
    if (count == 0) Bind();
  }
}

bool Doorbell::TakeSignal() {
  signalfd_siginfo signal{};
  return read(signals_, &signal, sizeof signal) == sizeof signal;
}

// All that wait, so that a burst of events rings once.
void Doorbell::TakeDatagrams() {
  constexpr int kMost = 64;
  bool has_any = false;
  bool is_urgent = false;
  for (int i = 0; i < kMost; ++i) {
    char word = 0;
    if (recv(socket_, &word, sizeof word, 0) < 0) break;
    has_any = true;
    is_urgent |= word == '\1' || word == '1';
  }
  if (has_any) events_.on_wake(is_urgent);
}

}  // namespace tacho
