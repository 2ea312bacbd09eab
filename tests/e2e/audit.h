// What became of everything that the recorder took: by the spool and its ledger while all runs, by
// the server's store alone in the end.
#pragma once

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/seq_ranges.h"
#include "daemon/spool/ledger.h"
#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_reader.h"
#include "server/store/sqlite_run_store.h"
#include "tests/e2e/event_feed.h"
#include "tests/support/waiting.h"

namespace tacho {

// How far the server is behind the recorder, by the spool and its ledger.
class SpoolWatch {
 public:
  explicit SpoolWatch(const std::filesystem::path& folder)
      : reader_(folder, disk_), ledger_(folder, disk_) {}

  // Records that the spool holds and nobody acknowledged; nullopt while there is no spool.
  std::optional<std::uint64_t> Unacknowledged() {
    if (!reader_.Refresh().ok() || !ledger_.Refresh().ok()) return std::nullopt;
    std::uint64_t count = 0;
    for (const SpooledStream& stream : reader_.Streams()) {
      const Seq done = std::max(ledger_.through(stream.key), Seq{Number(stream.first) - 1});
      if (stream.last > done) count += stream.last - done;
    }
    return count;
  }

  // A look costs something: ten a second are enough.
  bool AwaitDrained(std::chrono::seconds limit) {
    return WaitFor(
        [this] {
          if (Unacknowledged() == 0u) return true;
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          return false;
        },
        limit);
  }

 private:
  PosixDisk disk_;
  SpoolReader reader_;
  LedgerReader ledger_;
};

// What became of everything, by the server's store alone.
struct Account {
  std::uint64_t produced = 0;    // the recorder answered with a seq
  std::uint64_t stored = 0;      // of these, in the store
  std::uint64_t covered = 0;     // of these, named by a gap
  std::uint64_t lost = 0;        // neither: must not be
  std::uint64_t renumbered = 0;  // stored under another seq than was answered: must not be
  std::uint64_t doubled = 0;     // in the store twice: must not be
  std::uint64_t unheard = 0;     // in the store, though the answer was not heard
  std::uint64_t missing = 0;     // seqs of which neither a record nor a gap came: must not be
  std::uint64_t downs = 0;       // events recorder_down
  std::uint64_t denied = 0;  // stored events from a time of which it is said that there are none
};

// "nothing was recorded for 1.1 s, from 12.345 s to 13.456 s after boot: ..."
inline std::pair<BootTime, BootTime> DownTimeOf(const std::string& detail) {
  double from = 0;
  double to = 0;
  EXPECT_EQ(std::sscanf(detail.c_str(), "nothing was recorded for %*f s, from %lf s to %lf s",
                        &from, &to),
            2)
      << detail;
  const auto time = [](double seconds) {
    return BootTimeOf(static_cast<std::int64_t>(seconds * 1e9));
  };
  return {time(from), time(to)};
}

// Batches that the store holds of the summaries: a seq in two of them is a record twice.
class DoubledSeqs final : public PieceVisitor {
 public:
  bool Wants(const StoredPiece& piece) override {
    SeqRanges& seen = seen_[piece.stream];
    if (seen.Overlaps(piece.seqs)) ++doubled;
    seen.Add(piece.seqs);
    return false;
  }
  Status Take(const StoredPiece&, std::span<const std::byte>) override { return {}; }
  std::uint64_t doubled = 0;

 private:
  std::map<StreamKey, SeqRanges> seen_;
};

class Audit {
 public:
  explicit Audit(RunReader& store) {
    const std::vector<BootRow> boots = *store.Boots("rb12");
    for (const BootRow& boot : boots) {
      const std::vector<EventRow> events = *store.Events(boot.key);
      for (const EventRow& row : events) {
        if (row.event.kind == "recorder_down") downs_.push_back(DownTimeOf(row.event.detail));
        if (row.event.kind == "fed") events_.emplace(row.event.detail, row);
      }
      const std::vector<GapRow> gaps = *store.Gaps(boot.key);
      for (const GapRow& gap : gaps) {
        if (gap.tier == Tier::kEvents) gaps_[gap.epoch].Add(gap.seqs);
      }
      // Its answer says nothing here, ignored since no payload is taken.
      (void)store.VisitPieces({boot.key, Tier::kSummaries, BootTime{}, BootTime::max()},
                              summaries_);
    }
    account_.missing = store.CountsOf("rb12").missing;
  }

  Account Of(const std::vector<Produced>& produced) {
    account_.produced = produced.size();
    account_.doubled = summaries_.doubled;
    account_.downs = downs_.size();
    std::map<int, Epoch> epochs;  // of the recorder's lives
    std::set<std::string> answered;
    for (const Produced& one : produced) {
      const auto found = events_.find(one.detail);
      answered.insert(one.detail);
      if (found != events_.end()) epochs[one.life] = found->second.epoch;
    }
    for (const Produced& one : produced) {
      Look(one, epochs[one.life]);
    }
    for (const auto& [detail, row] : events_) {
      if (!answered.contains(detail)) ++account_.unheard;
      const auto is_in = [at = row.event.at](const auto& down) {
        return down.first + std::chrono::milliseconds(1) < at &&
               at < down.second - std::chrono::milliseconds(1);  // they are printed in ms
      };
      if (std::ranges::any_of(downs_, is_in)) ++account_.denied;
    }
    return account_;
  }

 private:
  void Look(const Produced& one, Epoch epoch) {
    const auto [first, last] = events_.equal_range(one.detail);
    const auto count = static_cast<std::uint64_t>(std::distance(first, last));
    if (count > 1) account_.doubled += count - 1;
    if (count > 0) {
      ++account_.stored;
      if (first->second.seq != one.seq) ++account_.renumbered;
    } else if (gaps_[epoch].Contains({one.seq, 1})) {
      ++account_.covered;
    } else {
      ++account_.lost;
    }
  }

  std::multimap<std::string, EventRow> events_;
  std::map<Epoch, SeqRanges> gaps_;
  std::vector<std::pair<BootTime, BootTime>> downs_;
  DoubledSeqs summaries_;
  Account account_;
};

// The store of a server that has ended.
inline Account AuditOf(const std::filesystem::path& data, const std::vector<Produced>& produced) {
  StoreConfig config;
  config.folder = data;
  auto store = SqliteRunStore::Open(config, WallTimeOf(1'800'000'000'000'000'000));
  if (!store.ok()) {
    ADD_FAILURE() << store.error()->message();
    return {};
  }
  return Audit(**store).Of(produced);
}

inline void ExpectAllAccountedFor(const Account& account) {
  EXPECT_EQ(account.stored + account.covered, account.produced);
  EXPECT_EQ(account.lost, 0u);
  EXPECT_EQ(account.renumbered, 0u);
  EXPECT_EQ(account.doubled, 0u);
  EXPECT_EQ(account.missing, 0u);
  EXPECT_EQ(account.denied, 0u) << "events were stored from a time said to hold none";
}

}  // namespace tacho
