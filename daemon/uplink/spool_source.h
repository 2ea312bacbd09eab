// The real spool and its ledger, behind what the uplink wants of them.
#pragma once

#include <filesystem>

#include "daemon/spool/disk.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/spool_reader.h"
#include "daemon/uplink/record_source.h"

namespace tacho {

// Loop thread. `disk` must outlive it.
class SpoolSource final : public RecordSource {
 public:
  SpoolSource(const std::filesystem::path& folder, Disk& disk);

  Result<std::vector<SpooledStream>> Streams() override;
  Result<std::vector<Record>> Read(const StreamKey& stream, Seq from, ReadLimit limit) override;
  Seq Through(const StreamKey& stream) override { return ledger_.through(stream); }
  Status Acknowledge(const StreamKey& stream, Seq through) override;

 private:
  Status OpenLedger();

  SpoolReader reader_;
  Ledger ledger_;
  bool has_ledger_ = false;
  std::string ledger_trouble_;  // said once
};

}  // namespace tacho
