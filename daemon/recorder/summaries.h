// Folds rows into one-second summaries.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "common/codec/block.h"
#include "daemon/recorder/row.h"

namespace tacho {

// The five folds of one channel's second.
class Fold {
 public:
  void Add(const Cell& cell);
  // The cell of `stat`: absent, with the last reason, where no reading of the second had a value.
  Cell Of(ChannelId channel, Stat stat) const;

 private:
  std::int64_t last_ = 0;
  std::int64_t min_ = 0;
  std::int64_t max_ = 0;
  std::int64_t sum_ = 0;
  std::int64_t count_ = 0;
  bool sum_overflowed_ = false;
  Why last_why_ = Why::kMissing;
};

// Loop thread. Allocates where a second is sealed, and not for its rows once there was a second
// like it. Seconds are those of the rows' own times, never of a clock. Up to kRawRowsPerSecond rows
// of a group's second are kept as they came; more fold, and the folded row bears the time of the
// second's last row.
class Summaries {
 public:
  // A row of another second seals the one before it.
  void Add(const Row& row);
  // Seals every second that ended at least kGrace before `now`.
  void Tick(BootTime now);
  // Seals whatever is there.
  void SealAll();
  // What was sealed since the last call, one block a group, in order of group.
  std::vector<Block> Take();

  static constexpr Nanos kGrace = std::chrono::seconds(1);

 private:
  struct ChannelFold {
    ChannelId channel;
    Fold fold;
  };
  // One is used again and again: its memory stays.
  struct Second {
    std::int64_t number = 0;
    std::vector<Row> rows;           // the first `kept` of them, until there are too many
    std::vector<ChannelFold> folds;  // from then on, by channel
    BootTime last;
    std::size_t kept = 0;
    std::size_t count = 0;
  };

  static void FoldRow(const Row& row, std::vector<ChannelFold>& folds);

  void Seal(GroupId group, Second& second);

  std::map<GroupId, Second> open_;
  std::vector<Block> sealed_;
};

}  // namespace tacho
