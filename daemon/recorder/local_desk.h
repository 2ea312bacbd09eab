// Where the robot's programs and its owner talk to the recorder: the socket and what answers at it.
#pragma once

#include <memory>
#include <string>

#include "daemon/recorder/local_requests.h"
#include "daemon/recorder/local_socket.h"
#include "daemon/recorder/status_report.h"

namespace tacho {

// Loop thread.
class LocalDesk {
 public:
  LocalDesk(Recorder& recorder, std::span<const SourceState> sources, const RecorderConfig& config,
            std::string agent);

  // A socket that cannot be opened is named in the log; the recorder goes on without it.
  void Open(const std::filesystem::path& path);
  // -1 where there is no socket. Readable when Serve has something to do.
  int descriptor() const { return socket_ ? socket_->descriptor() : -1; }
  void Serve() { socket_->Serve(); }
  void Tick(BootTime now);
  void Close() { socket_.reset(); }

 private:
  const StatusReport status_;
  LocalRequests requests_;
  std::unique_ptr<LocalSocket> socket_;
};

}  // namespace tacho
