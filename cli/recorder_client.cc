// Asks the recorder on this robot, over its unix socket, one JSON line at a time
// (docs/formats/local.md).
#include "cli/recorder_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tacho {
namespace {

// The recorder's lines are small; whatever sends more is no recorder.
constexpr std::size_t kLongestAnswer = 4 << 20;

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::string ReasonOf(int error) {
  return std::generic_category().message(error);
}

class UnixRecorderClient final : public RecorderClient {
 public:
  UnixRecorderClient(Descriptor socket, std::string path, const Clock& clock, Nanos patience)
      : socket_(std::move(socket)), path_(std::move(path)), clock_(clock), patience_(patience) {}

  Result<Json> Ask(const Json& request) override {
    const BootTime deadline = clock_.Boot() + patience_;
    TACHO_TRY(Send(request.Dump() + '\n', deadline));
    auto line = ReceiveLine(deadline);
    if (!line.ok()) return std::move(line).status();
    auto answer = Json::Parse(*line);
    if (!answer.ok() || !answer->is_object()) {
      return Status(Code::kCorrupt,
                    fmt::format("What listens at {} does not speak as the recorder does.", path_));
    }
    if ((*answer)["ok"].AsBool()) return answer;
    return Status(Code::kInternal, fmt::format("The recorder refuses: {}",
                                               (*answer)["error"].AsText("it does not say why")));
  }

 private:
  Status NoAnswer(std::string_view what) const {
    return {Code::kUnavailable,
            fmt::format("The recorder at {} {}. Check it with `systemctl status tachod`.", path_,
                        what)};
  }

  // Waits until the socket is ready for `events`, until `deadline` at the longest.
  Status Await(short events, BootTime deadline) const {
    const Nanos left = std::max(deadline - clock_.Boot(), Nanos(0));
    const auto millis = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    pollfd entry{socket_.number(), events, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::min<std::int64_t>(millis, 600'000)));
    if (ready > 0 || (ready < 0 && errno == EINTR)) return {};
    return ready == 0 ? NoAnswer(fmt::format("did not answer within {} ms",
                                             patience_ / std::chrono::milliseconds(1)))
                      : NoAnswer(fmt::format("cannot be waited for ({})", ReasonOf(errno)));
  }

  Status Send(std::string_view bytes, BootTime deadline) {
    while (!bytes.empty()) {
      TACHO_TRY(Await(POLLOUT, deadline));
      const ssize_t sent =
          send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno != EAGAIN && errno != EINTR) {
        return NoAnswer(fmt::format("hung up ({})", ReasonOf(errno)));
      }
    }
    return {};
  }

  // Without its line break. One question is under way at a time, so nothing follows it.
  Result<std::string> ReceiveLine(BootTime deadline) {
    std::string line;
    std::array<char, 16384> chunk{};
    while (line.size() <= kLongestAnswer) {
      TACHO_TRY(Await(POLLIN, deadline));
      const ssize_t got = recv(socket_.number(), chunk.data(), chunk.size(), MSG_DONTWAIT);
      if (got == 0) return NoAnswer("hung up without an answer");
      if (got < 0 && errno != EAGAIN && errno != EINTR) {
        return NoAnswer(fmt::format("hung up ({})", ReasonOf(errno)));
      }
      const std::string_view text(chunk.data(),
                                  static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
      line += text.substr(0, text.find('\n'));
      if (text.find('\n') != std::string_view::npos) return line;
    }
    return Status(Code::kCorrupt,
                  fmt::format("What listens at {} sends a line without an end.", path_));
  }

  Descriptor socket_;
  std::string path_;
  const Clock& clock_;
  Nanos patience_;
};

Status CannotConnect(const std::string& path, int error) {
  if (error == EACCES || error == EPERM) {
    return {Code::kDenied, fmt::format("The recorder's socket {} may not be opened by this user. "
                                       "Use sudo, or join the socket's group.",
                                       path)};
  }
  return {Code::kUnavailable,
          fmt::format("The recorder is not running here: {}: {}. Check it with `systemctl status "
                      "tachod`; --socket names another place.",
                      path, ReasonOf(error))};
}

}  // namespace

Result<std::unique_ptr<RecorderClient>> ConnectRecorder(const std::filesystem::path& socket_path,
                                                        const Clock& clock, Nanos patience) {
  const std::string path = socket_path.string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return Status(Code::kInvalid, fmt::format("'{}' is too long or too short for a socket.", path));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  Descriptor descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (descriptor.number() < 0) return CannotConnect(path, errno);
  // A recorder whose queue of callers is full would block us for ever.
  const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(patience).count();
  const timeval limit{micros / 1'000'000, micros % 1'000'000};
  setsockopt(descriptor.number(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(descriptor.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0) {
    return CannotConnect(path, errno);
  }
  return std::unique_ptr<RecorderClient>(
      std::make_unique<UnixRecorderClient>(std::move(descriptor), path, clock, patience));
}

}  // namespace tacho
