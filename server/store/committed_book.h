// What is on disk, kept in memory: the committed seqs of every stream and the times seen of every
// boot, as the union over the store's files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/mutex.h"
#include "common/seq_ranges.h"
#include "server/store/rows.h"

namespace tacho {

// Any thread.
class CommittedBook {
 public:
  void AddStored(const StreamId& stream, SeqRange seqs);
  void AddGap(const StreamId& stream, SeqRange seqs);  // Requires: not in the book yet
  void AddRetired(const StreamId& stream, SeqRange seqs);

  SeqRanges Of(const StreamId& stream) const;
  RecordCounts CountsOf(const BootKey& boot) const;
  RecordCounts CountsOf(const std::string& robot) const;
  RecordCounts CountsOf(const std::string& robot, Tier tier) const;
  // Seqs below a stream's newest that are neither stored nor named by a gap; at most `most` rows.
  std::vector<GapRow> HolesOf(const BootKey& boot, std::size_t most) const;
  bool HasRetired(const BootKey& boot) const;

  void See(const BootKey& boot, BootTime first, BootTime last);
  // Row times; nullopt where no row is known.
  std::optional<SeenRange> SeenOf(const BootKey& boot) const;

 private:
  struct Entry {
    SeqRanges all;  // with gaps
    std::uint64_t gaps = 0;
  };
  static void AddTo(RecordCounts& counts, const Entry& entry);

  mutable Mutex mutex_;
  std::map<StreamId, Entry> streams_ GUARDED_BY(mutex_);
  std::set<BootKey> retired_ GUARDED_BY(mutex_);
  std::map<BootKey, SeenRange> seen_ GUARDED_BY(mutex_);
};

}  // namespace tacho
