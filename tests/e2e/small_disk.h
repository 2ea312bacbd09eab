// A disk of a few MiB that a test can fill: a tmpfs in a mount namespace of the test's own process,
// which the programs that it starts see too.
#pragma once

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tacho {

class SmallDisk {
 public:
  // Requires: this process has one thread. `refusal()` says why where there is no such disk.
  SmallDisk(std::filesystem::path folder, int mebibytes) : folder_(std::move(folder)) {
    std::filesystem::create_directories(folder_);
    const std::string size = "size=" + std::to_string(mebibytes) + "m";
    refusal_ = Separate();
    if (!refusal_.empty()) return;
    is_mounted_ = ::mount("tmpfs", folder_.c_str(), "tmpfs", 0, size.c_str()) == 0;
    if (!is_mounted_) refusal_ = std::string("no file system may be mounted: ") + strerror(errno);
  }
  ~SmallDisk() {
    if (is_mounted_) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  const std::string& refusal() const { return refusal_; }
  const std::filesystem::path& folder() const { return folder_; }

  // Takes all that is free, to the last byte.
  void Fill() const {
    const int file = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const std::vector<char> some(4096);
    while (::write(file, some.data(), some.size()) > 0) {
    }
    ::close(file);
  }
  void Free() const { std::filesystem::remove(filler()); }

 private:
  // Once a process: mounts are its own from here on, as a user of its own where it is not root.
  static std::string Separate() {
    static const std::string refusal = [] {
      const uid_t user = ::geteuid();
      const int what = CLONE_NEWNS | (user == 0 ? 0 : CLONE_NEWUSER);
      if (::unshare(what) != 0) return std::string("namespaces are refused: ") + strerror(errno);
      if (user != 0) {
        std::ofstream("/proc/self/setgroups") << "deny";
        std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
      }
      if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        return std::string("mounts cannot be kept apart: ") + strerror(errno);
      }
      return std::string();
    }();
    return refusal;
  }
  std::filesystem::path filler() const { return folder_ / "filler"; }

  const std::filesystem::path folder_;
  std::string refusal_;
  bool is_mounted_ = false;
};

}  // namespace tacho
