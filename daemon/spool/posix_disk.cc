// Files by their descriptors: every call goes to the kernel, nothing is buffered here.
#include "daemon/spool/posix_disk.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tacho {
namespace {

Code CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return Code::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return Code::kDenied;
    case ENOSPC:
    case EDQUOT:
      return Code::kExhausted;
    default:
      return Code::kUnavailable;
  }
}

Status Failure(const char* action, const std::filesystem::path& path, int error) {
  return {CodeOf(error), fmt::format("cannot {} {}: {}", action, path.string(),
                                     std::error_code(error, std::generic_category()).message())};
}

class PosixFile final : public File {
 public:
  PosixFile(int descriptor, std::filesystem::path path)
      : descriptor_(descriptor), path_(std::move(path)) {}
  ~PosixFile() override {
    // Its answer is ignored since Sync has told of every failure that matters.
    (void)close(descriptor_);
  }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  Result<std::size_t> Read(std::int64_t offset, std::span<std::byte> to) const override {
    std::size_t done = 0;
    while (done < to.size()) {
      const ssize_t count = pread(descriptor_, to.data() + done, to.size() - done,
                                  offset + static_cast<std::int64_t>(done));
      if (count == 0) break;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return Failure("read", path_, errno);
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  Status Write(std::int64_t offset, std::span<const std::byte> bytes) override {
    while (!bytes.empty()) {
      const ssize_t count = pwrite(descriptor_, bytes.data(), bytes.size(), offset);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return Failure("write", path_, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      offset += count;
    }
    return {};
  }

  Status Sync() override {
    if (fdatasync(descriptor_) != 0) return Failure("sync", path_, errno);
    return {};
  }

  Status FillZero(std::int64_t size) override {
    // All the room or none: a disk that is almost full must not be filled and emptied at each try.
    // Where the file system cannot say, the writes below will.
    if (fallocate(descriptor_, 0, 0, size) != 0 && errno != EOPNOTSUPP && errno != EINTR) {
      return Failure("take room for", path_, errno);
    }
    const std::vector<std::byte> zeros(static_cast<std::size_t>(std::min(size, kFillChunk)));
    for (std::int64_t at = 0; at < size; at += kFillChunk) {
      const auto chunk = static_cast<std::size_t>(std::min(kFillChunk, size - at));
      TACHO_TRY(Write(at, std::span(zeros).first(chunk)));
    }
    if (ftruncate(descriptor_, size) != 0) return Failure("set the size of", path_, errno);
    return Sync();
  }

  Result<std::int64_t> Size() const override {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) return Failure("look at", path_, errno);
    return std::int64_t{status.st_size};
  }

  bool IsInPlace() const override {
    struct stat own {};
    struct stat found {};
    if (fstat(descriptor_, &own) != 0) return true;  // nothing speaks against it
    if (stat(path_.c_str(), &found) != 0) return errno != ENOENT && errno != ENOTDIR;
    return own.st_dev == found.st_dev && own.st_ino == found.st_ino;
  }

 private:
  static constexpr std::int64_t kFillChunk = 64 << 10;
  int descriptor_;
  std::filesystem::path path_;
};

}  // namespace

Result<std::unique_ptr<File>> PosixDisk::Open(const std::filesystem::path& path, Access access) {
  // Without O_NONBLOCK a pipe that somebody put in a file's place would be waited for.
  int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (access == Access::kRead ? O_RDONLY : O_RDWR);
  if (access == Access::kCreate || access == Access::kExclusive) flags |= O_CREAT;
  const int descriptor = open(path.c_str(), flags, 0640);
  if (descriptor < 0) return Failure("open", path, errno);
  auto file = std::make_unique<PosixFile>(descriptor, path);
  if (access == Access::kExclusive && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return Status(Code::kExists,
                  fmt::format("cannot write {}: another process is at work on it", path.string()));
  }
  return std::unique_ptr<File>(std::move(file));
}

Result<std::vector<std::string>> PosixDisk::List(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  std::filesystem::directory_iterator it(folder, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    std::error_code not_regular;  // a file that vanished meanwhile isn't one
    if (it->is_regular_file(not_regular)) names.push_back(it->path().filename().string());
  }
  if (error) return Failure("list", folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

Status PosixDisk::MakeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Failure("make", folder, error.value());
  return {};
}

Status PosixDisk::Remove(const std::filesystem::path& path) {
  if (unlink(path.c_str()) != 0) return Failure("remove", path, errno);
  return {};
}

Status PosixDisk::SyncFolder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Failure("open", folder, errno);
  const PosixFile file(descriptor, folder);
  if (fsync(descriptor) != 0) return Failure("sync", folder, errno);
  return {};
}

}  // namespace tacho
