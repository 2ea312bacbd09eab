#include "rpc/inside/socket_count.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace tacho {

namespace {

// gRPC percent-encodes the brackets of "ipv6:%5B::1%5D:4440".
std::string PeerName(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);
    inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    return fmt::format("ipv4:{}:{}", text.data(), ntohs(v4.sin_port));
  }
  if (address.ss_family != AF_INET6) return "";
  sockaddr_in6 v6;
  std::memcpy(&v6, &address, sizeof v6);
  // gRPC opens dual-stack sockets and speaks of IPv4 through them as IPv4.
  if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], text.data(), text.size());
    return fmt::format("ipv4:{}:{}", text.data(), ntohs(v6.sin6_port));
  }
  inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
  return fmt::format("ipv6:%5B{}%5D:{}", text.data(), ntohs(v6.sin6_port));
}

bool IsConnectionTo(int descriptor, const std::string& peer) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  void* raw = &address;
  if (getpeername(descriptor, static_cast<sockaddr*>(raw), &size) != 0) return false;
  return PeerName(address) == peer;
}

}  // namespace

std::optional<SocketCount> SocketCount::Find(const std::string& peer) {
  if (!peer.starts_with("ipv4:") && !peer.starts_with("ipv6:")) return std::nullopt;
  int found = -1;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const std::string name = entry.path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (IsConnectionTo(descriptor, peer)) found = std::max(found, descriptor);
  }
  if (found < 0) return std::nullopt;
  const int copy = fcntl(found, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return std::nullopt;
  return SocketCount(copy);
}

SocketCount::SocketCount(SocketCount&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

SocketCount::~SocketCount() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::uint64_t SocketCount::bytes() const {
  tcp_info info{};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor_, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return info.tcpi_bytes_acked + info.tcpi_bytes_received;
}

}  // namespace tacho
