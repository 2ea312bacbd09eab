// A lock on the folder itself: it needs no file, and the kernel frees it with the process.
#include "daemon/recorder/sole_recorder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tacho {

SoleRecorder::SoleRecorder(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  // A folder that cannot be made is reported by whoever writes there, ignored here.
  (void)std::filesystem::create_directories(folder_, error);
}

SoleRecorder::~SoleRecorder() {
  if (lock_ >= 0) ::close(lock_);
}

bool SoleRecorder::Claim() {
  if (lock_ >= 0) return true;
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return true;
  if (::flock(folder, LOCK_EX | LOCK_NB) == 0) {
    lock_ = folder;
    return true;
  }
  const bool is_held = errno == EWOULDBLOCK;
  ::close(folder);
  return !is_held;
}

}  // namespace tacho
