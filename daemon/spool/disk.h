// What the spool asks of a disk, so that tests can make it fail, fill up and lose power.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/status.h"

namespace tacho {

// One open file. Any number of File objects may be open on one path.
class File {
 public:
  virtual ~File() = default;
  // Fills `to` from `offset`; the count read is less than asked only at the end of the file.
  virtual Result<std::size_t> Read(std::int64_t offset, std::span<std::byte> to) const = 0;
  // All of `bytes` at `offset`, or a failure after which the range holds anything.
  virtual Status Write(std::int64_t offset, std::span<const std::byte> bytes) = 0;
  // Everything written before is on the disk. After a failure nothing is known of unsynced bytes,
  // and a later success proves nothing about them.
  virtual Status Sync() = 0;
  // Makes the file `size` bytes of zeros, really written and synced: later overwrites then change
  // no metadata and cost a third of the flash writes.
  virtual Status FillZero(std::int64_t size) = 0;
  virtual Result<std::int64_t> Size() const = 0;
  // Whether its path still leads to it. What is written to a file that was removed or moved away is
  // lost when it is closed, though no write fails.
  virtual bool IsInPlace() const = 0;
};

class Disk {
 public:
  enum class Access : std::uint8_t {
    kRead,       // fails with kNotFound where there is no file
    kWrite,      // reading too; the same
    kCreate,     // as kWrite, and makes an empty file where there is none
    kExclusive,  // as kCreate, and fails with kExists while another process holds it so
  };

  virtual ~Disk() = default;
  virtual Result<std::unique_ptr<File>> Open(const std::filesystem::path& path, Access access) = 0;
  // Names of the regular files in `folder`, sorted.
  virtual Result<std::vector<std::string>> List(const std::filesystem::path& folder) = 0;
  // With its parents; success where it is there already.
  virtual Status MakeFolder(const std::filesystem::path& folder) = 0;
  virtual Status Remove(const std::filesystem::path& path) = 0;
  // The names made and removed in `folder` before are on the disk.
  virtual Status SyncFolder(const std::filesystem::path& folder) = 0;
};

}  // namespace tacho
