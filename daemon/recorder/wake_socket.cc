// One byte to the uplink's datagram socket.
#include "daemon/recorder/wake_socket.h"

#include <algorithm>
#include <iterator>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace tacho {

WakeSocket::WakeSocket(std::filesystem::path peer)
    : peer_(std::move(peer)),
      socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}

WakeSocket::~WakeSocket() {
  if (socket_ >= 0) ::close(socket_);
}

void WakeSocket::Wake(bool is_urgent) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (peer_.empty() || peer_.native().size() >= sizeof address.sun_path) return;
  std::ranges::copy(peer_.native(), std::begin(address.sun_path));
  const char word = is_urgent ? '\1' : '\0';
  // Fails while no uplink runs, ignored since the spool keeps what it holds.
  (void)::sendto(socket_, &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT,
                 reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

}  // namespace tacho
