// One day-YYYY-MM-DD.db: batches as they came, and the marks that say so.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/store/database.h"
#include "server/store/rows.h"

namespace tacho {

// The writer of one day. Writer thread. Changes are inside a Transaction of database().
class DayFile {
 public:
  explicit DayFile(Database database) : database_(std::move(database)) {}
  Database& database() { return database_; }
  void Forget() { streams_.clear(); }  // after a rollback

  Result<std::int64_t> StreamRef(const StreamId& stream);
  Status AddBatch(const StreamId& stream, const Record& record, const SummaryFacts& facts);
  Status AddMark(const StreamId& stream, SeqRange seqs);

  // Gives pages that compaction freed back to the file system, where there are many.
  Status Shrink();

  Status EachMark(const std::function<void(const StreamId&, SeqRange)>& see);
  Status EachUncompacted(const std::function<void(const StreamId&, std::uint64_t rows)>& see);
  Status EachSeen(const std::function<void(const StreamId&, SeenRange)>& see);

 private:
  Database database_;
  std::map<StreamId, std::int64_t> streams_;
};

// Reads the four columns (robot, boot_id, epoch, tier) that start at `column`.
StreamId StreamIdIn(const Statement& row, int column);

}  // namespace tacho
