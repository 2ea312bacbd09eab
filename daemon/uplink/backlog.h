// What the spool holds and the server has not: which record goes next, and what became of those
// that went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "common/record.h"
#include "common/status.h"
#include "daemon/uplink/record_source.h"
#include "daemon/uplink/stream_progress.h"
#include "rpc/link.h"

namespace tacho {

struct BacklogCounters {
  std::uint64_t acknowledged = 0;       // records of the spool, not batches
  std::uint64_t refused_batches = 0;    // for whatever reason
  std::uint64_t given_up = 0;           // records that the server will never take
  std::uint64_t skipped = 0;            // seqs that the spool no longer held
  std::uint64_t forgotten_streams = 0;  // that the server once had, and has no longer
  std::uint64_t read_failures = 0;
  std::uint64_t ledger_failures = 0;
};

// What to send now. Events never wait for company; summaries may.
struct Demand {
  Tier most = Tier::kHistory;     // tiers up to this one
  std::size_t least_records = 1;  // a batch of summaries that is smaller stays where it is
};

// Loop thread.
class Backlog {
 public:
  // `current`: the boot that runs now.
  Backlog(RecordSource& source, const BootId& current);

  // Lists the streams again. A failure leaves the old list.
  Status Look();
  // In order of sending, at most as many as Hello takes.
  std::vector<StreamKey> streams() const;
  std::uint64_t boot_counter() const;  // of the current boot; 0 if unknown

  // The next batch that was not sent yet, in order of sending.
  std::optional<Record> Next(const Demand& demand);
  void Depart(const Record& record);
  // What the server has of a stream as a connection opens.
  void Begin(const Committed& committed);
  // The server has these on disk: written to the ledger.
  void Acknowledge(const Committed& committed);
  // False: the record may be tried again as it is, after a pause.
  bool Refuse(const StreamKey& key, SeqRange seqs, const Status& why, const Committed& committed);
  // Nothing is on its way any more: what had no answer is to be sent again.
  void Recall();

  std::size_t bytes_in_flight() const { return bytes_in_flight_; }
  std::size_t records_in_flight() const { return in_flight_.size(); }
  const BacklogCounters& counters() const { return counters_; }

 private:
  struct Stream {
    explicit Stream(Seq through) : progress(through) {}
    StreamProgress progress;
    Seq singly_until{};  // something in here was refused: send one by one to find it
  };
  struct Sent {
    StreamKey stream;
    SeqRange seqs;
    std::size_t bytes = 0;
    std::optional<Gap> gap;
  };

  Stream& At(const StreamKey& key);
  std::optional<Record> NextOf(const SpooledStream& held, std::size_t least_records);
  std::vector<Record> ReadRange(const StreamKey& key, SeqRange range, std::size_t most);
  void Land(const Sent& sent);
  void GiveUp(const StreamKey& key, SeqRange seqs, const Status& why);
  void WriteLedger(const StreamKey& key);

  RecordSource& source_;
  const BootId current_;
  std::vector<SpooledStream> held_;  // in order of sending
  std::map<StreamKey, Stream> streams_;
  std::vector<Sent> in_flight_;  // bounded by the uplink's window
  std::size_t bytes_in_flight_ = 0;
  std::set<std::pair<StreamKey, Code>> said_;  // what was given up and logged
  BacklogCounters counters_;
};

}  // namespace tacho
