// Splits what a client sends into lines and sends its answers in order.
#include "daemon/recorder/local_client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace tacho {
namespace {

constexpr std::size_t kReadAtOnce = 16 << 10;

bool MustWait() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

LocalClient::~LocalClient() {
  ::close(connection_);
}

bool LocalClient::Receive(std::size_t most) {
  in_.erase(0, taken_);
  taken_ = 0;
  std::array<char, kReadAtOnce> buffer;
  while (in_.size() < most) {
    const ssize_t got = ::recv(connection_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0) return MustWait();
    if (got == 0) {
      has_ended_ = true;
      return true;
    }
    in_.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return true;
}

std::optional<std::string_view> LocalClient::NextLine() {
  while (true) {
    const std::size_t end = in_.find('\n', taken_);
    if (end == std::string::npos) return std::nullopt;
    std::string_view line = std::string_view(in_).substr(taken_, end - taken_);
    taken_ = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) return line;
  }
}

void LocalClient::Abandon() {
  is_abandoned_ = true;
  first_ += answers_.size();
  answers_.clear();
  out_.clear();
  sent_ = 0;
}

std::uint64_t LocalClient::Expect() {
  if (is_abandoned_) return first_++;
  answers_.emplace_back();
  return first_ + answers_.size() - 1;
}

void LocalClient::Answer(std::uint64_t request, std::string line) {
  const std::uint64_t index = request - first_;
  if (request < first_ || index >= answers_.size()) return;
  answers_[static_cast<std::size_t>(index)] = std::move(line);
  while (!answers_.empty() && answers_.front()) {
    out_ += *answers_.front();
    out_ += '\n';
    answers_.pop_front();
    ++first_;
  }
}

bool LocalClient::Send() {
  while (unsent() > 0) {
    const ssize_t sent =
        ::send(connection_, out_.data() + sent_, unsent(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return MustWait();
    sent_ += static_cast<std::size_t>(sent);
    stuck_since_.reset();
  }
  out_.clear();
  sent_ = 0;
  return true;
}

bool LocalClient::IsStuck(BootTime now, Nanos limit) {
  if (unsent() == 0) return false;
  if (!stuck_since_) stuck_since_ = now;
  return now - *stuck_since_ > limit;
}

}  // namespace tacho
