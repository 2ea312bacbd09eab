// Tells the uplink that there is something in the spool (docs/formats/local.md).
#pragma once

#include <filesystem>

namespace tacho {

// Spool thread. A datagram that finds nobody costs nothing: the uplink also looks by itself.
class WakeSocket {
 public:
  explicit WakeSocket(std::filesystem::path peer);
  ~WakeSocket();
  WakeSocket(const WakeSocket&) = delete;
  WakeSocket& operator=(const WakeSocket&) = delete;

  // "An event: send now", or "there is a batch's worth".
  void Wake(bool is_urgent);

 private:
  const std::filesystem::path peer_;
  const int socket_;
};

}  // namespace tacho
