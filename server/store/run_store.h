// The store of the fleet: what is committed, and what can be asked of it. No word of SQL in here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/seq_ranges.h"
#include "common/status.h"
#include "server/store/rows.h"

namespace tacho {

// Sees the stored payloads of one boot, oldest file first.
class PieceVisitor {
 public:
  virtual ~PieceVisitor() = default;
  // False: spare the reading of its payload.
  virtual bool Wants(const StoredPiece& piece) = 0;
  // `payload` is valid during the call. A failure ends the visit.
  virtual Status Take(const StoredPiece& piece, std::span<const std::byte> payload) = 0;
};

// Answers. Any thread; each call sees what was committed before it.
class RunReader {
 public:
  virtual ~RunReader() = default;

  virtual SeqRanges CommittedOf(const StreamId& stream) const = 0;
  // All of one boot's streams together.
  virtual RecordCounts CountsOf(const BootKey& boot) const = 0;
  virtual RecordCounts CountsOf(const std::string& robot) const = 0;
  virtual RecordCounts CountsOf(const std::string& robot, Tier tier) const = 0;
  // Seqs below a stream's newest that are neither stored nor named by a gap; at most `most` rows.
  virtual std::vector<GapRow> HolesOf(const BootKey& boot, std::size_t most) const = 0;
  // kNotFound where nobody sent it.
  virtual Result<std::shared_ptr<const Dictionary>> DictionaryOf(DictionaryHash hash) = 0;

  virtual Result<std::vector<RobotRow>> Robots() = 0;                  // by name
  virtual Result<std::vector<AuditRow>> Audit(std::size_t limit) = 0;  // newest first
  // What the server itself noted of a robot.
  virtual Result<std::vector<RobotEvent>> RobotEvents(const std::string& robot,
                                                      const EventFilter& filter) = 0;
  // In the order in which they ran: by counter, else by first receipt.
  virtual Result<std::vector<BootRow>> Boots(const std::string& robot) = 0;
  // Of the recorder that started first in this boot, where it came.
  virtual Result<std::optional<BootReport>> FirstReport(const BootKey& boot) = 0;
  virtual Result<std::vector<RunRow>> RunsOf(const BootKey& boot) = 0;  // by number
  // Newest receipt first, received at or after `since`; at most `limit`.
  virtual Result<std::vector<RunRow>> NewestRuns(WallTime since, std::size_t limit) = 0;
  virtual Result<std::vector<ClockPair>> ClockPairs(const BootKey& boot) = 0;
  virtual Result<std::vector<EventRow>> Events(const BootKey& boot) = 0;  // by time
  virtual Result<std::vector<EventRow>> NewestEvents(const BootKey& boot,
                                                     const EventFilter& filter) = 0;
  virtual Result<std::vector<GapRow>> Gaps(const BootKey& boot) = 0;
  virtual Status VisitPieces(const PieceFilter& filter, PieceVisitor& visitor) = 0;
  // True where a part of this boot's rows was retired with its day: what was folded can't be
  // folded again.
  virtual bool HasRetired(const BootKey& boot) const = 0;

  virtual Result<std::vector<std::byte>> RollupOf(const RunKey& run) = 0;  // kNotFound: none saved
  virtual Result<VerdictRow> VerdictOf(const RunKey& run) = 0;             // kNotFound: none saved
};

// How far compaction goes.
struct CompactionConfig {
  std::uint64_t rows = 1000;  // of one stream and dictionary, in consecutive batches
};

// Changes. One thread, always the same.
class RunWriter {
 public:
  virtual ~RunWriter() = default;

  // Commits what can be, in order; one outcome an arrival. A failure means that nothing of it is
  // acknowledged: what did reach the disk will be found there when it is sent again.
  virtual Result<std::vector<Outcome>> Commit(std::span<const Arrival> arrivals) = 0;

  virtual Status Greet(const Greeting& greeting) = 0;
  // The whole roster of the configuration. Whom it no longer names is off the roster, neither
  // expected nor retired; whom a person added stays.
  virtual Status SaveRoster(std::span<const RosterEntry> entries, WallTime now) = 0;
  // One entry, with the word of who wanted it.
  virtual Status ChangeRoster(const RosterEntry& entry, const AuditRow& audit) = 0;
  // Of a robot that was marked as silent it notes "robot_back", with the contact.
  virtual Status SaveContacts(std::span<const std::pair<std::string, WallTime>> contacts) = 0;
  virtual Status SaveRobotEvent(const RobotEvent& event) = 0;
  virtual Status Quarantine(const std::string& robot, std::optional<WallTime> until) = 0;
  // Once a silence: marks the robot and notes `event` with it, or does nothing where it is marked.
  virtual Status MarkSilent(const RobotEvent& event, WallTime since) = 0;
  virtual Status SaveLastWord(const BootKey& boot, const LastWord& last_word) = 0;
  // The version of this text, a new one only if it differs from the newest.
  virtual Result<std::int64_t> SaveBudgets(const std::string& text, WallTime now) = 0;
  virtual Status SaveRollup(const RunKey& run, std::span<const std::byte> payload) = 0;
  virtual Status SaveVerdict(const RunKey& run, const VerdictRow& verdict) = 0;

  // The boots with a compaction due, so that their rollups can be brought up to date before it.
  virtual Result<std::vector<BootKey>> CompactionDue(WallTime now) = 0;
  // One transaction's worth. False: nothing left to do.
  virtual Result<bool> CompactSome(WallTime now) = 0;
  // The boots with rows in days received before `day_of`: their rollups must be saved before
  // Retire.
  virtual Result<std::vector<BootKey>> BootsBefore(WallTime day_of) = 0;
  // Unlinks every day before the one of `day_of`.
  virtual Status Retire(WallTime day_of) = 0;
};

class RunStore : public RunReader, public RunWriter {};

}  // namespace tacho
