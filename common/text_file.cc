#include "common/text_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tacho {
namespace {

bool IsPipe(int descriptor) {
  struct stat is {};
  return ::fstat(descriptor, &is) == 0 && S_ISFIFO(is.st_mode);
}

// A pipe may have nobody at its other end.
bool HasSomething(int descriptor) {
  constexpr int kWaitMillis = 1000;
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, kWaitMillis) != 0;
}

Status CannotRead(const std::filesystem::path& file, int error) {
  return {error == ENOENT ? Code::kNotFound : Code::kUnavailable,
          fmt::format("cannot read {}: {}", file.string(), std::generic_category().message(error))};
}

}  // namespace

Result<std::string> ReadTextFile(const std::filesystem::path& file, std::size_t most_bytes) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return CannotRead(file, errno);
  std::string text;
  std::array<char, 16384> buffer;
  int error = 0;
  // A pipe reads as empty before its writer came, and as EAGAIN while the writer rests.
  bool may_come = IsPipe(descriptor);
  while (text.size() <= most_bytes) {
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
      continue;
    }
    error = got < 0 ? errno : 0;
    if (error == EINTR) continue;
    const bool is_resting = error == EAGAIN || (got == 0 && text.empty() && may_come);
    if (!is_resting) break;
    may_come = false;  // wait for a writer once: one that wrote nothing has been here then
    if (HasSomething(descriptor)) continue;
    error = ETIMEDOUT;
    break;
  }
  ::close(descriptor);
  if (error == ETIMEDOUT) {
    return Status(Code::kUnavailable,
                  fmt::format("cannot read {}: nothing came for a second", file.string()));
  }
  if (error != 0) return CannotRead(file, error);
  if (text.size() > most_bytes) {
    return Status(Code::kExhausted, fmt::format("cannot read {}: it is larger than {} bytes",
                                                file.string(), most_bytes));
  }
  return text;
}

}  // namespace tacho
