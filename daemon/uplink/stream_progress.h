// How far one stream has come: what the server has, what is on its way, what is not there to send.
#pragma once

#include <optional>
#include <vector>

#include "common/ids.h"
#include "common/seq_ranges.h"

namespace tacho {

class StreamProgress {
 public:
  // `through`: as the ledger knew it.
  explicit StreamProgress(Seq through);

  // What the server says it has when a connection opens is the truth, also where the ledger knew
  // better: it may have lost its store. Of what lies before `first_held` nothing is left to send.
  // A server that names `most_named` ranges may have more above them.
  void Begin(const SeqRanges& committed, Seq first_held, std::size_t most_named);
  // The server has these, or they will never come and it knows so.
  void Account(const SeqRanges& ranges) { accounted_.Add(ranges); }
  void Account(SeqRange range) { accounted_.Add(range); }
  // The spool does not have these. Not accounted for: a gap record will do that.
  void Skip(SeqRange range) { skipped_.Add(range); }
  // Sent, unanswered; and no longer.
  void Depart(SeqRange range) { in_flight_.push_back(range); }
  void Return(SeqRange range);
  void ReturnAll() { in_flight_.clear(); }

  // The first range between `first` and `last` that is still to be sent.
  std::optional<SeqRange> Next(Seq first, Seq last) const;
  // All up to here is accounted for.
  Seq through() const { return accounted_.through(); }
  const SeqRanges& accounted() const { return accounted_; }

 private:
  SeqRanges accounted_;
  SeqRanges skipped_;
  std::vector<SeqRange> in_flight_;
};

}  // namespace tacho
