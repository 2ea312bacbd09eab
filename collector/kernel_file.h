// A file of sysfs or procfs, opened once and read at offset 0 for ever after: 7 times cheaper than
// opening it anew.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/metric.h"

namespace tacho {

// What a read gave: text, or the reason why there is none.
struct FileText {
  std::string_view text{};  // in the buffer given to Read
  Why why = Why::kPresent;
};

class KernelFile {
 public:
  // nullopt if there is no such file. One that may not be opened is a file all the same: each Read
  // says why it gives nothing.
  static std::optional<KernelFile> Open(const std::filesystem::path& path);

  KernelFile(KernelFile&& other) noexcept;
  KernelFile& operator=(KernelFile&& other) noexcept;
  KernelFile(const KernelFile&) = delete;
  KernelFile& operator=(const KernelFile&) = delete;
  ~KernelFile();

  // One pread, no retry, no allocation.
  FileText Read(std::span<char> buffer) const;

  // Opens `path` again in place of the file at hand, whose device may have gone. No allocation.
  void Reopen(const char* path);

 private:
  KernelFile(int descriptor, Why why) : descriptor_(descriptor), why_(why) {}

  int descriptor_;
  Why why_;  // of the failed open
};

// What the kernel's error number means for a reading.
Why WhyOf(int error);

// For start-up: the first line of a small file, without white space at its ends; empty if it cannot
// be read.
std::string ReadLine(const std::filesystem::path& path);
// For start-up: at most `limit` bytes of a file; empty if it cannot be read.
std::string ReadAll(const std::filesystem::path& path, std::size_t limit);

}  // namespace tacho
