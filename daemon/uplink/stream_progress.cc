#include "daemon/uplink/stream_progress.h"

#include <algorithm>

namespace tacho {

StreamProgress::StreamProgress(Seq through) {
  if (through != Seq{0}) accounted_.Add({Seq{1}, Number(through)});
}

void StreamProgress::Begin(const SeqRanges& committed, Seq first_held, std::size_t most_named) {
  SeqRanges fresh = committed;
  const std::uint64_t gone = std::min(Number(through()), Number(first_held) - 1);
  fresh.Add({Seq{1}, gone});
  const auto named = committed.list();
  if (named.size() >= most_named) {
    for (const SeqRange& range : accounted_.list()) {
      const Seq first = std::max(range.first, named.back().end());
      if (first < range.end()) fresh.Add({first, range.end() - first});
    }
  }
  accounted_ = std::move(fresh);
}

void StreamProgress::Return(SeqRange range) {
  const auto at = std::find(in_flight_.begin(), in_flight_.end(), range);
  if (at != in_flight_.end()) in_flight_.erase(at);
}

std::optional<SeqRange> StreamProgress::Next(Seq first, Seq last) const {
  if (first == Seq{0} || last < first) return std::nullopt;
  SeqRanges done = accounted_;
  done.Add(skipped_);
  for (const SeqRange& range : in_flight_) {
    done.Add(range);
  }
  const auto missing = done.MissingIn({first, last - first + 1});
  if (missing.empty()) return std::nullopt;
  return missing.front();
}

}  // namespace tacho
