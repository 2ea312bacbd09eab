// Accepts, serves and closes clients, all of them behind one epoll descriptor.
#include "daemon/recorder/local_socket.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace tacho {
namespace {

// No client has these numbers.
constexpr std::uint64_t kListener = 0;
constexpr std::uint64_t kMore = ~std::uint64_t{0};
constexpr int kBacklog = 64;
constexpr std::size_t kMostEvents = 128;  // so that no client is ever overlooked
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

void Raise(int event) {
  const std::uint64_t one = 1;
  // Fails only when it is up already, which is ignored since that is what we want.
  [[maybe_unused]] const ssize_t written = ::write(event, &one, sizeof one);
}

void Lower(int event) {
  std::uint64_t count = 0;
  // Fails only when it is down already, which is ignored since that is what we want.
  [[maybe_unused]] const ssize_t size = ::read(event, &count, sizeof count);
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
  const int more = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (epoll < 0 || more < 0) {
    const Status why = Failed("watch", path);
    for (const int descriptor : {listener, epoll, more}) {
      if (descriptor >= 0) ::close(descriptor);
    }
    return why;
  }
  // Private constructor: make_unique cannot reach it.
  return std::unique_ptr<LocalSocket>(
      new LocalSocket(path, {listener, epoll, more}, limits, std::move(handler)));
}

LocalSocket::LocalSocket(std::filesystem::path path, Descriptors descriptors, LocalLimits limits,
                         Handler handler)
    : path_(std::move(path)),
      listener_(descriptors.listener),
      epoll_(descriptors.epoll),
      more_(descriptors.more),
      limits_(limits),
      handler_(std::move(handler)) {
  Control(epoll_, EPOLL_CTL_ADD, listener_, kListener, EPOLLIN);
  Control(epoll_, EPOLL_CTL_ADD, more_, kMore, EPOLLIN);
}

LocalSocket::~LocalSocket() {
  clients_.clear();
  ::close(more_);
  ::close(epoll_);
  ::close(listener_);
  ::unlink(path_.c_str());
}

void LocalSocket::Serve() {
  std::array<epoll_event, kMostEvents> events{};
  const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), 0);
  bool has_callers = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const std::uint64_t id = event.data.u64;
    if (id == kListener) has_callers = true;
    const auto found = clients_.find(id);
    if (found == clients_.end()) continue;
    if ((event.events & (EPOLLHUP | EPOLLERR)) != 0) found->second->Abandon();
    queue_.insert(id);
  }
  Lower(more_);
  for (const std::uint64_t id : std::exchange(queue_, {})) {
    const auto found = clients_.find(id);
    if (found != clients_.end()) Serve(id, *found->second);
  }
  if (has_callers) Accept();
}

void LocalSocket::Accept() {
  // Whoever calls beyond that waits for the next turn.
  for (int accepted = 0; accepted < kBacklog; ++accepted) {
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
  if (client.is_abandoned()) {
    SayFarewell(id, client) ? Queue(id) : Close(id);
    return;
  }
  const bool is_heard = !client.has_ended() && HasRoom(client) && !client.HasLine();
  if (is_heard && !client.Receive(limits_.line_bytes + 1)) return Close(id);
  TakeLines(id, client);
  Settle(id, client);
}

// It may have sent something before it left, and wanted no answer. Who may change nothing has left
// nothing behind that matters.
bool LocalSocket::SayFarewell(std::uint64_t id, LocalClient& client) {
  if (!client.may_change()) return false;
  const bool needs_none = client.has_ended() || client.HasLine();
  const bool is_alive = needs_none || client.Receive(limits_.line_bytes + 1);
  TakeLines(id, client);
  return client.HasLine() || (is_alive && !client.has_ended());
}

void LocalSocket::Settle(std::uint64_t id, LocalClient& client) {
  if (!client.Send() || client.is_done()) return Close(id);
  const bool has_room = HasRoom(client);
  if (has_room && client.HasLine()) Queue(id);
  const bool is_heard = has_room && !client.has_ended() && !client.HasLine();
  const std::uint32_t events = (is_heard ? std::uint32_t{EPOLLIN} : 0u) |
                               (client.unsent() > 0 ? std::uint32_t{EPOLLOUT} : 0u);
  Control(epoll_, EPOLL_CTL_MOD, client.connection(), id, events);
}

// Closing the connection ends its watch.
void LocalSocket::Close(std::uint64_t id) {
  clients_.erase(id);
  queue_.erase(id);
}

void LocalSocket::Queue(std::uint64_t id) {
  queue_.insert(id);
  Raise(more_);
}

void LocalSocket::TakeLines(std::uint64_t id, LocalClient& client) {
  const std::uint64_t outer = std::exchange(serving_, id);
  for (std::size_t taken = 0; taken < limits_.lines_a_turn && HasRoom(client); ++taken) {
    const auto line = client.NextLine();
    if (!line) break;
    if (line->size() > limits_.line_bytes) {
      client.Answer(client.Expect(), kTooLong);
      continue;
    }
    handler_({.ticket = {.client = id, .request = client.Expect()},
              .line = *line,
              .may_change = client.may_change(),
              .is_awaited = !client.is_abandoned()});
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
  std::erase_if(queue_, [&](std::uint64_t id) { return !clients_.contains(id); });
  Control(epoll_, EPOLL_CTL_MOD, listener_, kListener, EPOLLIN);
}

}  // namespace tacho
