// The rollups of runs, brought up to date from the store when somebody asks.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "common/mutex.h"
#include "server/judge/readings.h"
#include "server/judge/rollup.h"
#include "server/store/run_store.h"
#include "server/timeline.h"

namespace tacho {

// Any thread. Keeps the most recently asked rollups in memory; all of them can be made again.
class RollupBook {
 public:
  explicit RollupBook(RunReader& store, std::size_t kept = 512) : store_(store), kept_(kept) {}

  // What all committed rows of the run fold to. The same rows give the same series, in whatever
  // order they arrived and however they are packed by now.
  Result<std::shared_ptr<const RunRollup>> Of(const RunSpan& run);
  // What the rows within [from, to) fold to; made for one question and not kept.
  Result<std::shared_ptr<const RunRollup>> OfPart(RunSpan run, BootTime from, BootTime to);
  // Rows of one series, in order of time.
  Result<std::vector<SeriesReading>> ReadingsOf(const RunSpan& run, const SeriesKey& series);

 private:
  struct Entry {
    Mutex mutex;
    std::shared_ptr<const RunRollup> rollup GUARDED_BY(mutex);
  };
  std::shared_ptr<Entry> EntryOf(const RunKey& run);
  std::shared_ptr<const RunRollup> Saved(const RunKey& run);
  Result<std::shared_ptr<const RunRollup>> UpToDate(const RunSpan& run,
                                                    std::shared_ptr<const RunRollup> known);

  RunReader& store_;
  const std::size_t kept_;
  Mutex mutex_;
  // shared: an entry that is pushed out while somebody folds into it lives until that is done.
  std::map<RunKey, std::shared_ptr<Entry>> entries_ GUARDED_BY(mutex_);
  std::list<RunKey> recent_ GUARDED_BY(mutex_);  // newest first
};

}  // namespace tacho
