// A small value on disk that survives a cut at any byte: two pages, written in turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/status.h"
#include "daemon/spool/disk.h"

namespace tacho {

inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kPageOverhead = 32;  // magic, generation, size, check
inline constexpr std::size_t kMaxPageValue = kPageBytes - kPageOverhead;

struct Page {
  std::uint64_t generation = 0;
  std::vector<std::byte> value;
};

// docs/formats/spool.md, "A pair of pages". Requires: value.size() <= kMaxPageValue.
std::vector<std::byte> EncodePage(std::uint64_t magic, std::uint64_t generation,
                                  std::span<const std::byte> value);
// nullopt for anything but a whole page of this magic.
std::optional<Page> DecodePage(std::uint64_t magic, std::span<const std::byte> bytes);

// One value in one file. A single process may write it; any may read.
class PagePair {
 public:
  PagePair(std::filesystem::path path, std::uint64_t magic, Disk& disk);

  // The newest whole value; nullopt where there is no file or no whole page in it.
  Result<std::optional<std::vector<std::byte>>> Load();
  // Whether Load found bytes, but no whole page.
  bool is_damaged() const { return is_damaged_; }
  const std::filesystem::path& path() const { return path_; }
  // Makes the file where there is none, and keeps it open for Store. Nothing, if it is open.
  Status OpenToWrite(Disk::Access access);
  // Overwrites the older page. Requires: OpenToWrite, value.size() <= kMaxPageValue.
  Status Store(std::span<const std::byte> value);
  // Requires: OpenToWrite.
  Status Sync();
  // False once the file that is open to write was taken away.
  bool IsInPlace() const { return !file_ || file_->IsInPlace(); }
  // The next OpenToWrite makes or finds the file anew.
  void Close() { file_.reset(); }

 private:
  Status LoadFrom(const File& file, std::optional<std::vector<std::byte>>& value);

  std::filesystem::path path_;
  std::uint64_t magic_;
  Disk& disk_;
  std::unique_ptr<File> file_;     // while writing
  std::unique_ptr<File> reading_;  // while reading only
  std::uint64_t generation_ = 0;
  bool is_damaged_ = false;
};

}  // namespace tacho
