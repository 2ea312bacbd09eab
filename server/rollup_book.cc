#include "server/rollup_book.h"

#include <algorithm>

namespace tacho {
namespace {

PieceFilter FilterOf(const RunSpan& run) {
  return {run.row.key.boot, Tier::kSummaries, run.from, run.to};
}

// Folds the pieces that a rollup lacks.
class Refresh final : public PieceVisitor {
 public:
  Refresh(RunReader& store, RunRollup& rollup) : store_(store), rollup_(rollup), folder_(rollup) {}

  bool Wants(const StoredPiece& piece) override {
    const auto folded = rollup_.folded.find({piece.stream.epoch, piece.stream.tier});
    if (folded == rollup_.folded.end()) return true;
    if (folded->second.Contains(piece.seqs)) return false;
    if (!folded->second.Overlaps(piece.seqs)) return true;
    has_partial_ = true;  // repacked since: some of its rows are in, and nobody can tell which
    return false;
  }

  Status Take(const StoredPiece& piece, std::span<const std::byte> payload) override {
    const auto dictionary = store_.DictionaryOf(piece.dictionary);
    if (!dictionary.ok()) return *dictionary.error();
    const auto blocks = DecodeBlocks(payload);
    if (!blocks.ok()) return *blocks.error();
    for (const Block& block : *blocks) {
      TACHO_TRY(folder_.Fold(block, piece.dictionary, **dictionary));
    }
    taken_.push_back(piece);
    return {};
  }

  // The chunks of a stream's groups share their seqs, so that seqs count as folded only at the end.
  void Finish() {
    folder_.Finish();
    for (const StoredPiece& piece : taken_) {
      rollup_.folded[{piece.stream.epoch, piece.stream.tier}].Add(piece.seqs);
    }
  }
  bool has_partial() const { return has_partial_; }
  bool has_taken() const { return !taken_.empty(); }

 private:
  RunReader& store_;
  RunRollup& rollup_;
  Folder folder_;
  std::vector<StoredPiece> taken_;
  bool has_partial_ = false;
};

// Whether a rollup of [from, to) can go on as one of the run's interval: no row it left out comes
// in, and none it took falls out.
bool Fits(const RunRollup& rollup, const RunSpan& run) {
  if (run.from < rollup.from || run.to > rollup.to) return false;
  return std::all_of(rollup.dictionaries.begin(), rollup.dictionaries.end(),
                     [&](const auto& entry) {
                       return entry.second.first >= run.from && entry.second.last < run.to;
                     });
}

class CollectSeries final : public PieceVisitor {
 public:
  CollectSeries(RunReader& store, const RunSpan& run, const SeriesKey& series)
      : store_(store), run_(run), series_(series) {}
  bool Wants(const StoredPiece&) override { return true; }
  Status Take(const StoredPiece& piece, std::span<const std::byte> payload) override {
    const auto dictionary = store_.DictionaryOf(piece.dictionary);
    if (!dictionary.ok()) return *dictionary.error();
    const auto blocks = DecodeBlocks(payload);
    if (!blocks.ok()) return *blocks.error();
    for (const ChannelDef& channel : (*dictionary)->channels) {
      if (KeyOf(channel) != series_) continue;
      for (const Block& block : *blocks) {
        if (block.group != channel.group) continue;
        CollectReadings(block, channel.id, run_.from, run_.to, readings);
      }
    }
    return {};
  }
  std::vector<SeriesReading> readings;

 private:
  RunReader& store_;
  const RunSpan& run_;
  const SeriesKey& series_;
};

}  // namespace

std::shared_ptr<RollupBook::Entry> RollupBook::EntryOf(const RunKey& run) {
  MutexLock lock(mutex_);
  recent_.remove(run);
  recent_.push_front(run);
  if (recent_.size() > kept_) {
    entries_.erase(recent_.back());
    recent_.pop_back();
  }
  auto& entry = entries_[run];
  if (!entry) entry = std::make_shared<Entry>();
  return entry;
}

Result<std::shared_ptr<const RunRollup>> RollupBook::Of(const RunSpan& run) {
  const auto entry = EntryOf(run.row.key);
  MutexLock lock(entry->mutex);
  if (!entry->rollup) entry->rollup = Saved(run.row.key);
  auto rollup = UpToDate(run, entry->rollup);
  if (rollup.ok()) entry->rollup = *rollup;
  return rollup;
}

Result<std::shared_ptr<const RunRollup>> RollupBook::OfPart(RunSpan run, BootTime from,
                                                            BootTime to) {
  run.from = std::max(run.from, from);
  run.to = std::min(run.to, to);
  return UpToDate(run, nullptr);
}

std::shared_ptr<const RunRollup> RollupBook::Saved(const RunKey& run) {
  const auto payload = store_.RollupOf(run);
  if (!payload.ok()) return nullptr;
  auto rollup = DecodeRollup(*payload);
  if (!rollup.ok()) return nullptr;  // made again from the rows
  return std::make_shared<const RunRollup>(*std::move(rollup));
}

Result<std::shared_ptr<const RunRollup>> RollupBook::UpToDate(
    const RunSpan& run, std::shared_ptr<const RunRollup> known) {
  const auto fresh = [&] {
    RunRollup rollup;
    rollup.from = run.from;
    rollup.to = run.to;
    return rollup;
  };
  // What was folded from a retired day cannot be folded again: then the old fold is the best there
  // is.
  const bool can_restart = !store_.HasRetired(run.row.key.boot);
  const bool is_usable = known && (Fits(*known, run) || !can_restart);
  RunRollup rollup = is_usable ? *known : fresh();
  const bool is_moved = rollup.from != run.from || rollup.to != run.to;
  rollup.from = run.from;
  rollup.to = run.to;
  Refresh refresh(store_, rollup);
  TACHO_TRY(store_.VisitPieces(FilterOf(run), refresh));
  if (refresh.has_partial() && can_restart) {
    RunRollup again = fresh();
    Refresh all(store_, again);
    TACHO_TRY(store_.VisitPieces(FilterOf(run), all));
    all.Finish();
    return std::make_shared<const RunRollup>(std::move(again));
  }
  if (is_usable && !is_moved && !refresh.has_taken()) return known;
  refresh.Finish();
  return std::make_shared<const RunRollup>(std::move(rollup));
}

Result<std::vector<SeriesReading>> RollupBook::ReadingsOf(const RunSpan& run,
                                                          const SeriesKey& series) {
  CollectSeries collect(store_, run, series);
  TACHO_TRY(store_.VisitPieces(FilterOf(run), collect));
  SortReadings(collect.readings);
  return std::move(collect.readings);
}

}  // namespace tacho
