// How many bytes really went over a connection: asked of the kernel, since gRPC does not tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tacho {

// Holds a duplicate of gRPC's socket, so that the count can be read until the very end; gRPC shuts
// the connection down all the same. Loop thread.
class SocketCount {
 public:
  // Looks through this process's descriptors for the TCP connection to `peer`, as
  // ClientContext::peer() names it ("ipv4:127.0.0.1:4440"). nullopt if there is none, as with unix
  // sockets. Of several to one peer it takes the newest: a robot's program has one.
  static std::optional<SocketCount> Find(const std::string& peer);

  SocketCount(SocketCount&& other) noexcept;
  SocketCount& operator=(SocketCount&&) = delete;
  ~SocketCount();

  // TCP payload acknowledged by the other side and received from it; 0 if the kernel will not say.
  std::uint64_t bytes() const;

 private:
  explicit SocketCount(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace tacho
