#include "daemon/uplink/spool_source.h"

#include <utility>

#include "common/log.h"

namespace tacho {

SpoolSource::SpoolSource(const std::filesystem::path& folder, Disk& disk)
    : reader_(folder, disk), ledger_(folder, disk) {}

Result<std::vector<SpooledStream>> SpoolSource::Streams() {
  TACHO_TRY(reader_.Refresh());
  // Without its ledger the uplink sends all the same: the server knows what it has.
  if (const Status status = OpenLedger(); !status.ok() && status.message() != ledger_trouble_) {
    ledger_trouble_ = status.message();
    Log(LogLevel::kWarning, ledger_trouble_ + "; what was acknowledged is not noted");
  }
  auto streams = reader_.Streams();
  for (const std::string& warning : reader_.TakeWarnings()) {
    Log(LogLevel::kWarning, warning);
  }
  ledger_.KeepOnly(streams);
  return streams;
}

Result<std::vector<Record>> SpoolSource::Read(const StreamKey& stream, Seq from, ReadLimit limit) {
  return reader_.Read(stream, Seq{Number(from) - 1}, limit.bytes, limit.records);
}

Status SpoolSource::Acknowledge(const StreamKey& stream, Seq through) {
  TACHO_TRY(OpenLedger());
  return ledger_.Acknowledge(stream, through);
}

Status SpoolSource::OpenLedger() {
  if (has_ledger_) return Status();
  TACHO_TRY(ledger_.Open());
  has_ledger_ = true;
  if (const std::string complaint = ledger_.Complaint(); !complaint.empty()) {
    Log(LogLevel::kWarning, complaint);
  }
  return Status();
}

}  // namespace tacho
