// The disk of the machine.
#pragma once

#include "daemon/spool/disk.h"

namespace tacho {

class PosixDisk final : public Disk {
 public:
  Result<std::unique_ptr<File>> Open(const std::filesystem::path& path, Access access) override;
  Result<std::vector<std::string>> List(const std::filesystem::path& folder) override;
  Status MakeFolder(const std::filesystem::path& folder) override;
  Status Remove(const std::filesystem::path& path) override;
  Status SyncFolder(const std::filesystem::path& folder) override;
};

}  // namespace tacho
