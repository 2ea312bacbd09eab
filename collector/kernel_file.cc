// A file of sysfs or procfs, opened once and read at offset 0 for ever after.
#include "collector/kernel_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "collector/parse/setup_files.h"

namespace tacho {
namespace {

int OpenForReading(const char* path) {
  return ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

}  // namespace

Why WhyOf(int error) {
  switch (error) {
    case EAGAIN:
      return Why::kGated;  // the block behind the sensor is powered off
    case ENODATA:
      return Why::kDisabled;
    case EACCES:
    case EPERM:
      return Why::kForbidden;
    default:
      return Why::kBroken;
  }
}

std::optional<KernelFile> KernelFile::Open(const std::filesystem::path& path) {
  const int descriptor = OpenForReading(path.c_str());
  if (descriptor >= 0) return KernelFile(descriptor, Why::kPresent);
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  return KernelFile(-1, WhyOf(errno));
}

KernelFile::KernelFile(KernelFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), why_(other.why_) {}

KernelFile& KernelFile::operator=(KernelFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(why_, other.why_);
  return *this;
}

KernelFile::~KernelFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileText KernelFile::Read(std::span<char> buffer) const {
  if (descriptor_ < 0) return {.why = why_};
  const ssize_t size = ::pread(descriptor_, buffer.data(), buffer.size(), 0);
  if (size < 0) return {.why = WhyOf(errno)};
  return {.text = {buffer.data(), static_cast<std::size_t>(size)}};
}

void KernelFile::Reopen(const char* path) {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = OpenForReading(path);
  why_ = descriptor_ >= 0 ? Why::kPresent : WhyOf(errno);
}

std::string ReadAll(const std::filesystem::path& path, std::size_t limit) {
  const int descriptor = OpenForReading(path.c_str());
  if (descriptor < 0) return {};
  std::string text(limit, '\0');
  std::size_t size = 0;
  while (size < limit) {
    const ssize_t part = ::read(descriptor, text.data() + size, limit - size);
    if (part <= 0) break;
    size += static_cast<std::size_t>(part);
  }
  ::close(descriptor);
  text.resize(size);
  return text;
}

std::string ReadLine(const std::filesystem::path& path) {
  return std::string(FirstLine(ReadAll(path, 256)));
}

}  // namespace tacho
