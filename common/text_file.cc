#include "common/text_file.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>

namespace tacho {
namespace {

// A pipe may have nobody at its other end; a file never waits.
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
  ssize_t got = 0;
  int error = 0;
  do {
    if (!HasSomething(descriptor)) {
      ::close(descriptor);
      return Status(Code::kUnavailable,
                    fmt::format("cannot read {}: nothing came for a second", file.string()));
    }
    got = ::read(descriptor, buffer.data(), buffer.size());
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
    if (got < 0) error = errno;
  } while ((got > 0 && text.size() <= most_bytes) || (got < 0 && error == EINTR));
  ::close(descriptor);
  if (got < 0) return CannotRead(file, error);
  if (text.size() > most_bytes) {
    return Status(Code::kExhausted, fmt::format("cannot read {}: it is larger than {} bytes",
                                                file.string(), most_bytes));
  }
  return text;
}

}  // namespace tacho
