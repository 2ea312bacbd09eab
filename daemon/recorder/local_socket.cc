// Accepts, serves and closes clients, all of them behind one epoll descriptor.
#include "daemon/recorder/local_socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace tacho {
namespace {

constexpr std::uint64_t kListener = 0;
constexpr int kBacklog = 64;
constexpr std::size_t kMostGroups = 256;

constexpr const char* kTooMany = R"({"ok":false,"error":"too many clients are connected"})";
constexpr const char* kTooLong = R"({"ok":false,"error":"the line is longer than 64 KiB"})";

bool IsMember(int connection, gid_t group) {
  std::array<gid_t, kMostGroups> groups{};
  socklen_t size = sizeof groups;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) != 0) return false;
  const auto end = groups.begin() + static_cast<std::ptrdiff_t>(size / sizeof(gid_t));
  return std::find(groups.begin(), end, group) != end;
}

bool MayChange(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == 0 || peer.uid == ::geteuid() || peer.gid == ::getegid() ||
         IsMember(connection, ::getegid());
}

Status Failed(const std::string& action, const std::filesystem::path& path) {
  return {Code::kUnavailable, "cannot " + action + " " + path.string() + ": " +
                                  std::strerror(errno) + "; no program can reach the recorder"};
}

// A socket of ours and the address of `path`, or -1 and errno.
int MakeSocket(const std::filesystem::path& path, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::ranges::copy(path.native(), std::begin(address.sun_path));
  return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

// A listening socket at `path`, or -1 and errno.
int Listen(const std::filesystem::path& path) {
  sockaddr_un address{};
  const int listener = MakeSocket(path, address);
  if (listener < 0) return -1;
  ::unlink(path.c_str());
  // Anyone may ask for the status; who may change something is decided by the peer's credentials.
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::chmod(path.c_str(), 0666) == 0 && ::listen(listener, kBacklog) == 0) {
    return listener;
  }
  const int error = errno;
  ::close(listener);
  errno = error;
  return -1;
}

void Control(int epoll, int operation, int descriptor, std::uint64_t id, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  ::epoll_ctl(epoll, operation, descriptor, &event);
}

}  // namespace

bool LocalSocket::IsServed(const std::filesystem::path& path) {
  sockaddr_un address{};
  const int socket = MakeSocket(path, address);
  if (socket < 0) return false;
  const int answer = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  // EAGAIN: its queue of clients is full, so there is somebody.
  const bool is_served = answer == 0 || errno == EAGAIN;
  ::close(socket);
  return is_served;
}

Result<std::unique_ptr<LocalSocket>> LocalSocket::Open(const std::filesystem::path& path,
                                                       LocalLimits limits, Handler handler) {
  const int listener = Listen(path);
  if (listener < 0) return Failed("listen on", path);
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) {
    ::close(listener);
    return Failed("watch", path);
  }
  // Private constructor: make_unique cannot reach it.
  return std::unique_ptr<LocalSocket>(
      new LocalSocket(path, listener, epoll, limits, std::move(handler)));
}

LocalSocket::LocalSocket(std::filesystem::path path, int listener, int epoll, LocalLimits limits,
                         Handler handler)
    : path_(std::move(path)),
      listener_(listener),
      epoll_(epoll),
      limits_(limits),
      handler_(std::move(handler)) {
  Control(epoll_, EPOLL_CTL_ADD, listener_, kListener, EPOLLIN);
}

LocalSocket::~LocalSocket() {
  clients_.clear();
  ::close(epoll_);
  ::close(listener_);
  ::unlink(path_.c_str());
}

void LocalSocket::Serve() {
  std::array<epoll_event, 16> events{};
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const std::uint64_t id = event.data.u64;
    if (id == kListener) {
      Accept();
      continue;
    }
    const auto found = clients_.find(id);
    if (found == clients_.end()) continue;
    const bool has_left = (event.events & (EPOLLHUP | EPOLLERR)) != 0;
    has_left ? SayFarewell(id, *found->second) : Serve(id, *found->second);
  }
}

void LocalSocket::Accept() {
  while (true) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) {
      // Out of descriptors the listener stays readable: it rests until the next Tick.
      if (errno == EMFILE || errno == ENFILE)
        Control(epoll_, EPOLL_CTL_MOD, listener_, kListener, 0);
      return;
    }
    auto client = std::make_unique<LocalClient>(connection, MayChange(connection));
    if (clients_.size() >= limits_.clients) {
      ++refused_;
      client->Answer(client->Expect(), kTooMany);
      // It is told if it listens, ignored otherwise since it is closed in any case.
      (void)client->Send();
      continue;
    }
    const std::uint64_t id = next_client_++;
    Control(epoll_, EPOLL_CTL_ADD, connection, id, EPOLLIN);
    clients_.emplace(id, std::move(client));
  }
}

void LocalSocket::Serve(std::uint64_t id, LocalClient& client) {
  const bool is_heard = !client.has_ended() && HasRoom(client);
  if (is_heard && !client.Receive(limits_.line_bytes + 1)) {
    clients_.erase(id);
    return;
  }
  Settle(id, client);
}

// It may have sent something before it left, and wanted no answer.
void LocalSocket::SayFarewell(std::uint64_t id, LocalClient& client) {
  client.Abandon();
  TakeLines(id, client);
  bool is_alive = true;
  while (is_alive && !client.has_ended()) {
    is_alive = client.Receive(limits_.line_bytes + 1);
    TakeLines(id, client);
  }
  clients_.erase(id);
}

void LocalSocket::Settle(std::uint64_t id, LocalClient& client) {
  do {
    TakeLines(id, client);
    if (!client.Send() || client.is_done()) {
      clients_.erase(id);  // closing the connection ends its watch
      return;
    }
  } while (HasRoom(client) && client.HasLine());
  const bool is_heard = !client.has_ended() && HasRoom(client);
  const std::uint32_t events = (is_heard ? std::uint32_t{EPOLLIN} : 0u) |
                               (client.unsent() > 0 ? std::uint32_t{EPOLLOUT} : 0u);
  Control(epoll_, EPOLL_CTL_MOD, client.connection(), id, events);
}

void LocalSocket::TakeLines(std::uint64_t id, LocalClient& client) {
  const std::uint64_t outer = std::exchange(serving_, id);
  while (HasRoom(client)) {
    const auto line = client.NextLine();
    if (!line) break;
    if (line->size() > limits_.line_bytes) {
      client.Answer(client.Expect(), kTooLong);
      continue;
    }
    handler_({.client = id, .request = client.Expect()}, *line, client.may_change());
  }
  serving_ = outer;
  if (!client.HasLine() && !client.has_ended() && client.unfinished() > limits_.line_bytes) {
    client.Answer(client.Expect(), kTooLong);
    client.StopListening();
  }
}

bool LocalSocket::HasRoom(const LocalClient& client) const {
  return client.unanswered() < limits_.unanswered && client.unsent() < limits_.unsent_bytes;
}

void LocalSocket::Answer(Ticket ticket, std::string line) {
  const auto found = clients_.find(ticket.client);
  if (found == clients_.end()) return;
  LocalClient& client = *found->second;
  client.Answer(ticket.request, std::move(line));
  if (serving_ != ticket.client) Settle(ticket.client, client);
}

void LocalSocket::Tick(BootTime now) {
  std::erase_if(clients_,
                [&](auto& entry) { return entry.second->IsStuck(now, limits_.unsent_for); });
  Control(epoll_, EPOLL_CTL_MOD, listener_, kListener, EPOLLIN);
}

}  // namespace tacho
