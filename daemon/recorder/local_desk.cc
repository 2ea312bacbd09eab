// Joins the socket to what answers its requests.
#include "daemon/recorder/local_desk.h"

#include <utility>

#include "common/log.h"

namespace tacho {

LocalDesk::LocalDesk(Recorder& recorder, std::span<const SourceState> sources,
                     const RecorderConfig& config, std::string agent)
    : status_(recorder, sources, config, std::move(agent)), requests_(recorder, status_) {}

void LocalDesk::Open(const std::filesystem::path& path) {
  const auto handle = [this](const LocalSocket::Request& request) {
    const LocalRequests::Asker asker{.may_change = request.may_change,
                                     .is_listening = request.is_awaited};
    requests_.Handle(request.line, asker, [this, ticket = request.ticket](std::string answer) {
      if (socket_) socket_->Answer(ticket, std::move(answer));
    });
  };
  auto socket = LocalSocket::Open(path, {}, handle);
  if (!socket.ok()) {
    Log(LogLevel::kWarning, socket.error()->message());
    return;
  }
  socket_ = *std::move(socket);
}

void LocalDesk::Tick(BootTime now) {
  if (socket_) socket_->Tick(now);
}

}  // namespace tacho
