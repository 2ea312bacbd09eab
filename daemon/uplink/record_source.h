// The spool as the uplink sees it: records to send, and the ledger of what was acknowledged.
#pragma once

#include <cstddef>
#include <vector>

#include "common/ids.h"
#include "common/record.h"
#include "common/status.h"
#include "daemon/spool/spool.h"

namespace tacho {

struct ReadLimit {
  std::size_t records = 60;
  std::size_t bytes = 256u << 10;
};

// Loop thread.
class RecordSource {
 public:
  virtual ~RecordSource() = default;
  // What is held now, in any order; empty where there is no spool yet.
  virtual Result<std::vector<SpooledStream>> Streams() = 0;
  // The oldest records of `stream` from `from` on, in order; evicted ones are simply not there. At
  // least one, however large, if any is held.
  virtual Result<std::vector<Record>> Read(const StreamKey& stream, Seq from, ReadLimit limit) = 0;
  // All seqs up to here are the server's, or will never come; Seq{0}: none.
  virtual Seq Through(const StreamKey& stream) = 0;
  virtual Status Acknowledge(const StreamKey& stream, Seq through) = 0;
};

}  // namespace tacho
