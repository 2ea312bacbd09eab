// The store on SQLite: main.db and a file per day (docs/formats/store.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/mutex.h"
#include "server/store/committed_book.h"
#include "server/store/day_file.h"
#include "server/store/main_file.h"
#include "server/store/reader_pool.h"
#include "server/store/run_store.h"

namespace tacho {

struct StoreConfig {
  std::filesystem::path folder;
  CompactionConfig compaction;
  std::int64_t max_pages = 0;  // of each file; 0: no limit
};

class SqliteRunStore final : public RunStore {
 public:
  // Makes the folder and its files, migrates them, and learns what is committed.
  static Result<std::unique_ptr<SqliteRunStore>> Open(const StoreConfig& config, WallTime now);
  ~SqliteRunStore() override;

  SeqRanges CommittedOf(const StreamId& stream) const override;
  RecordCounts CountsOf(const BootKey& boot) const override;
  RecordCounts CountsOf(const std::string& robot) const override;
  RecordCounts CountsOf(const std::string& robot, Tier tier) const override;
  std::vector<GapRow> HolesOf(const BootKey& boot, std::size_t most) const override;
  Result<std::shared_ptr<const Dictionary>> DictionaryOf(DictionaryHash hash) override;
  Result<std::vector<RobotRow>> Robots() override;
  Result<std::vector<AuditRow>> Audit(std::size_t limit) override;
  Result<std::vector<RobotEvent>> RobotEvents(const std::string& robot,
                                              const EventFilter& filter) override;
  Result<std::vector<BootRow>> Boots(const std::string& robot) override;
  Result<std::optional<BootReport>> FirstReport(const BootKey& boot) override;
  Result<std::vector<RunRow>> RunsOf(const BootKey& boot) override;
  Result<std::vector<RunRow>> NewestRuns(WallTime since, std::size_t limit) override;
  Result<std::vector<ClockPair>> ClockPairs(const BootKey& boot) override;
  Result<std::vector<EventRow>> Events(const BootKey& boot) override;
  Result<std::vector<EventRow>> NewestEvents(const BootKey& boot,
                                             const EventFilter& filter) override;
  Result<std::vector<GapRow>> Gaps(const BootKey& boot) override;
  Status VisitPieces(const PieceFilter& filter, PieceVisitor& visitor) override;
  bool HasRetired(const BootKey& boot) const override;
  Result<std::vector<std::byte>> RollupOf(const RunKey& run) override;
  Result<VerdictRow> VerdictOf(const RunKey& run) override;

  Result<std::vector<Outcome>> Commit(std::span<const Arrival> arrivals) override;
  Status Greet(const Greeting& greeting) override;
  Status SaveRoster(std::span<const RosterEntry> entries, WallTime now) override;
  Status ChangeRoster(const RosterEntry& entry, const AuditRow& audit) override;
  Status SaveContacts(std::span<const std::pair<std::string, WallTime>> contacts) override;
  Status SaveRobotEvent(const RobotEvent& event) override;
  Status Quarantine(const std::string& robot, std::optional<WallTime> until) override;
  Status MarkSilent(const RobotEvent& event, WallTime since) override;
  Status SaveLastWord(const BootKey& boot, const LastWord& last_word) override;
  Result<std::int64_t> SaveBudgets(const std::string& text, WallTime now) override;
  Status SaveRollup(const RunKey& run, std::span<const std::byte> payload) override;
  Status SaveVerdict(const RunKey& run, const VerdictRow& verdict) override;
  Result<std::vector<BootKey>> CompactionDue(WallTime now) override;
  Result<bool> CompactSome(WallTime now) override;
  Result<std::vector<BootKey>> BootsBefore(WallTime day_of) override;
  Status Retire(WallTime day_of) override;

 private:
  struct Plan;  // what one Commit is about to write (commit.cc)

  SqliteRunStore(StoreConfig config, Database main);
  Status LearnMain();
  Status LearnDay(Day day);
  Status SetAside(Day day);  // renames a damaged file
  Result<DayFile*> FileOf(Day day, WallTime now);

  void Decide(std::span<const Arrival> arrivals, Plan& plan);
  Status WriteMain(std::span<const Arrival> arrivals, const Plan& plan);
  Status WriteDay(std::span<const Arrival> arrivals, const Plan& plan, Day day);
  Status RunInMain(std::string_view doing, const std::function<Status(MainFile&)>& write);
  Result<std::shared_ptr<const Dictionary>> FindDictionary(DictionaryHash hash);

  Result<bool> CompactStream(Day day, const StreamId& stream, bool is_past);
  Status RetireDay(Day day);

  const StoreConfig config_;
  CommittedBook book_;
  MainFile main_;                 // writer thread, as all that changes
  std::map<Day, DayFile> files_;  // open for writing
  // Rows of batches that no compaction has looked at yet.
  std::map<Day, std::map<StreamId, std::uint64_t>> uncompacted_;
  ReaderPool readers_;  // after the writers: who closes last checkpoints, and a reader cannot
  mutable Mutex mutex_;
  std::map<DictionaryHash, std::shared_ptr<const Dictionary>> dictionaries_ GUARDED_BY(mutex_);
};

}  // namespace tacho
