// Answers from main.db: robots, runs, clocks, events.
#include <algorithm>
#include <cstring>

#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

// Dictionaries kept decoded. One is some 100 channels: 20 kB.
constexpr std::size_t kDictionariesKept = 1024;

std::optional<WallTime> MaybeWall(std::optional<std::int64_t> nanos) {
  if (!nanos) return std::nullopt;
  return WallTimeOf(*nanos);
}
std::optional<BootTime> MaybeBoot(std::optional<std::int64_t> nanos) {
  if (!nanos) return std::nullopt;
  return BootTimeOf(*nanos);
}
BootId BootIdIn(const Statement& row, int column) {
  BootId boot;
  const auto bytes = row.Blob(column);
  std::memcpy(boot.bytes.data(), bytes.data(), std::min(bytes.size(), boot.bytes.size()));
  return boot;
}
Statement& BindBoot(Statement& statement, const BootKey& boot) {
  return statement.Bind(1, boot.robot).Bind(2, std::as_bytes(std::span(boot.boot.bytes)));
}

// One row function for all: calls `take` for each row of `sql` after `bind`.
Status EachRow(Database& database, const char* sql, const std::function<void(Statement&)>& bind,
               const std::function<void(const Statement&)>& take) {
  auto query = database.Prepare(sql);
  if (!query.ok()) return std::move(query).status();
  bind(**query);
  while ((*query)->Step())
    take(**query);
  return (*query)->Finish();
}

RobotRow RobotIn(const Statement& row) {
  RobotRow robot;
  robot.robot = row.Text(0);
  robot.is_expected = row.Int(1) != 0;
  robot.is_retired = row.Int(2) != 0;
  robot.last_contact = MaybeWall(row.MaybeInt(3));
  robot.agent = row.Text(4);
  if (!row.Blob(5).empty()) robot.current_boot = BootIdIn(row, 5);
  robot.quarantined_until = MaybeWall(row.MaybeInt(6));
  robot.silent_since = MaybeWall(row.MaybeInt(7));
  robot.added = WallTimeOf(row.Int(8));
  const std::string by = row.Text(9);
  if (by == "file") robot.roster_by = RosterBy::kFile;
  if (by == "command") robot.roster_by = RosterBy::kCommand;
  return robot;
}

// Without the times of its rows, which are not in main.db.
BootRow BootIn(const Statement& row) {
  BootRow boot;
  boot.key = {row.Text(0), BootIdIn(row, 1)};
  boot.counter = UnsignedBits(row.Int(2));
  boot.agent = row.Text(3);
  boot.first_receipt = WallTimeOf(row.Int(4));
  boot.last_seen = MaybeBoot(row.MaybeInt(5));
  if (const auto said = MaybeWall(row.MaybeInt(7))) boot.last_word = LastWord{row.Text(6), *said};
  return boot;
}

// Columns: robot, boot_id, number, name, opened, closed, reason, dictionary, receipt, run_ref.
RunRow RunIn(const Statement& row) {
  RunRow run;
  run.key = {{row.Text(0), BootIdIn(row, 1)}, static_cast<std::uint32_t>(row.Int(2))};
  run.name = row.Text(3);
  run.opened = MaybeBoot(row.MaybeInt(4));
  run.closed = MaybeBoot(row.MaybeInt(5));
  run.close_reason = row.Text(6);
  run.dictionary = DictionaryHash{UnsignedBits(row.Int(7))};
  run.received = WallTimeOf(row.Int(8));
  return run;
}
#define TACHO_RUN_COLUMNS                                                              \
  "SELECT robot, boot_id, number, name, opened_boot_ns, closed_boot_ns, close_reason," \
  " dictionary, receipt_wall_ns, run_ref FROM runs JOIN boots USING (boot_ref) "

EventRow EventIn(const Statement& row) {
  return {{BootTimeOf(row.Int(0)), static_cast<Severity>(row.Int(1)), row.Text(2), row.Text(3)},
          Epoch{UnsignedBits(row.Int(4))},
          Seq{UnsignedBits(row.Int(5))}};
}
#define TACHO_EVENT_COLUMNS                               \
  "SELECT at_boot_ns, severity, kind, detail, epoch, seq" \
  " FROM events JOIN boots USING (boot_ref) "

Result<std::vector<RunRow>> ReadRuns(Database& main, const char* sql,
                                     const std::function<void(Statement&)>& bind) {
  std::vector<RunRow> runs;
  std::vector<std::int64_t> refs;
  TACHO_TRY(EachRow(main, sql, bind, [&](const Statement& row) {
    runs.push_back(RunIn(row));
    refs.push_back(row.Int(9));
  }));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    TACHO_TRY(EachRow(
        main, "SELECT name, value FROM run_labels WHERE run_ref = ?",
        [&](Statement& labels) { labels.Bind(1, refs[i]); },
        [&](const Statement& row) { runs[i].labels[row.Text(0)] = row.Text(1); }));
  }
  return runs;
}

}  // namespace

Result<std::shared_ptr<const Dictionary>> SqliteRunStore::DictionaryOf(DictionaryHash hash) {
  return FindDictionary(hash);
}

Result<std::shared_ptr<const Dictionary>> SqliteRunStore::FindDictionary(DictionaryHash hash) {
  {
    MutexLock lock(mutex_);
    if (const auto known = dictionaries_.find(hash); known != dictionaries_.end()) {
      return known->second;
    }
  }
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  auto query = (*readers)->main().Prepare("SELECT payload FROM dictionaries WHERE hash = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, SignedBits(static_cast<std::uint64_t>(hash)));
  Result<Dictionary> decoded = Status(Code::kNotFound, "dictionary unknown");
  if ((*query)->Step()) decoded = DecodeDictionary((*query)->Blob(0));
  TACHO_TRY((*query)->Finish());
  if (!decoded.ok()) return std::move(decoded).status();
  auto shared = std::make_shared<const Dictionary>(*std::move(decoded));
  MutexLock lock(mutex_);
  if (dictionaries_.size() >= kDictionariesKept) dictionaries_.clear();
  dictionaries_[hash] = shared;
  return shared;
}

Result<std::vector<RobotRow>> SqliteRunStore::Robots() {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<RobotRow> robots;
  std::map<std::string, std::map<std::string, std::string>> labels;
  TACHO_TRY(EachRow((*readers)->main(), "SELECT robot, name, value FROM robot_labels",
                    [](Statement&) {},
                    [&](const Statement& row) { labels[row.Text(0)][row.Text(1)] = row.Text(2); }));
  TACHO_TRY(EachRow(
      (*readers)->main(),
      "SELECT r.robot, is_expected, is_retired, last_contact_wall_ns, r.agent, boot_id,"
      " quarantined_until_wall_ns, silent_since_wall_ns, added_wall_ns, roster_by FROM robots r"
      " LEFT JOIN boots ON boot_ref = current_boot ORDER BY r.robot",
      [](Statement&) {},
      [&](const Statement& row) {
        robots.push_back(RobotIn(row));
        robots.back().labels = std::move(labels[robots.back().robot]);
      }));
  return robots;
}

Result<std::vector<AuditRow>> SqliteRunStore::Audit(std::size_t limit) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<AuditRow> rows;
  TACHO_TRY(EachRow((*readers)->main(),
                    "SELECT at_wall_ns, who, what FROM audit ORDER BY audit_ref DESC LIMIT ?",
                    [&](Statement& query) { query.Bind(1, static_cast<std::int64_t>(limit)); },
                    [&](const Statement& row) {
                      rows.push_back({WallTimeOf(row.Int(0)), row.Text(1), row.Text(2)});
                    }));
  return rows;
}

Result<std::vector<RobotEvent>> SqliteRunStore::RobotEvents(const std::string& robot,
                                                            const EventFilter& filter) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<RobotEvent> events;
  TACHO_TRY(EachRow((*readers)->main(),
                    "SELECT at_wall_ns, severity, kind, detail FROM robot_events WHERE robot = ?"
                    " AND severity >= ? ORDER BY at_wall_ns DESC, robot_event_ref DESC LIMIT ?",
                    [&](Statement& query) {
                      query.Bind(1, robot)
                          .Bind(2, static_cast<std::int64_t>(filter.least))
                          .Bind(3, static_cast<std::int64_t>(filter.limit));
                    },
                    [&](const Statement& row) {
                      events.push_back({robot, WallTimeOf(row.Int(0)),
                                        static_cast<Severity>(row.Int(1)), row.Text(2),
                                        row.Text(3)});
                    }));
  return events;
}

Result<std::vector<BootRow>> SqliteRunStore::Boots(const std::string& robot) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<BootRow> boots;
  TACHO_TRY(EachRow(
      (*readers)->main(),
      "SELECT robot, boot_id, boot_counter, agent, first_receipt_wall_ns, last_seen_boot_ns,"
      " last_word, last_word_wall_ns"
      " FROM boots WHERE robot = ? ORDER BY boot_counter, first_receipt_wall_ns, boot_id",
      [&](Statement& query) { query.Bind(1, robot); },
      [&](const Statement& row) { boots.push_back(BootIn(row)); }));
  for (BootRow& boot : boots) {
    const auto seen = book_.SeenOf(boot.key);
    if (!seen) continue;
    boot.first_seen = seen->first;
    boot.last_seen = std::max(boot.last_seen.value_or(seen->last), seen->last);
  }
  return boots;
}

Result<std::optional<BootReport>> SqliteRunStore::FirstReport(const BootKey& boot) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::optional<BootReport> report;
  TACHO_TRY(
      EachRow((*readers)->main(),
              "SELECT boot_counter, r.agent, started_boot_ns, previous_was_clean, previous_end"
              " FROM boot_reports r JOIN boots USING (boot_ref) WHERE robot = ? AND boot_id = ?"
              " ORDER BY started_boot_ns, epoch, seq LIMIT 1",
              [&](Statement& query) { BindBoot(query, boot); },
              [&](const Statement& row) {
                report = BootReport{UnsignedBits(row.Int(0)), row.Text(1), BootTimeOf(row.Int(2)),
                                    row.Int(3) != 0, row.Text(4)};
              }));
  return report;
}

Result<std::vector<RunRow>> SqliteRunStore::RunsOf(const BootKey& boot) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  return ReadRuns((*readers)->main(),
                  TACHO_RUN_COLUMNS "WHERE robot = ? AND boot_id = ? ORDER BY number",
                  [&](Statement& query) { BindBoot(query, boot); });
}

Result<std::vector<RunRow>> SqliteRunStore::NewestRuns(WallTime since, std::size_t limit) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  return ReadRuns((*readers)->main(),
                  TACHO_RUN_COLUMNS
                  "WHERE receipt_wall_ns >= ? ORDER BY receipt_wall_ns DESC, run_ref DESC LIMIT ?",
                  [&](Statement& query) {
                    query.Bind(1, Count(since)).Bind(2, static_cast<std::int64_t>(limit));
                  });
}

Result<std::vector<ClockPair>> SqliteRunStore::ClockPairs(const BootKey& boot) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<ClockPair> pairs;
  TACHO_TRY(
      EachRow((*readers)->main(),
              "SELECT p.boot_ns, p.wall_ns, p.trust FROM clock_pairs p JOIN boots USING (boot_ref)"
              " WHERE robot = ? AND boot_id = ? ORDER BY p.boot_ns, p.trust, p.wall_ns",
              [&](Statement& query) { BindBoot(query, boot); },
              [&](const Statement& row) {
                pairs.push_back({BootTimeOf(row.Int(0)), WallTimeOf(row.Int(1)),
                                 static_cast<ClockTrust>(row.Int(2))});
              }));
  return pairs;
}

Result<std::vector<EventRow>> SqliteRunStore::Events(const BootKey& boot) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<EventRow> events;
  TACHO_TRY(EachRow((*readers)->main(),
                    TACHO_EVENT_COLUMNS
                    "WHERE robot = ? AND boot_id = ? ORDER BY at_boot_ns, epoch, seq",
                    [&](Statement& query) { BindBoot(query, boot); },
                    [&](const Statement& row) { events.push_back(EventIn(row)); }));
  return events;
}

Result<std::vector<EventRow>> SqliteRunStore::NewestEvents(const BootKey& boot,
                                                           const EventFilter& filter) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<EventRow> events;
  TACHO_TRY(EachRow((*readers)->main(),
                    TACHO_EVENT_COLUMNS "WHERE robot = ? AND boot_id = ? AND severity >= ?"
                                        " ORDER BY at_boot_ns DESC, epoch DESC, seq DESC LIMIT ?",
                    [&](Statement& query) {
                      BindBoot(query, boot)
                          .Bind(3, static_cast<std::int64_t>(filter.least))
                          .Bind(4, static_cast<std::int64_t>(filter.limit));
                    },
                    [&](const Statement& row) { events.push_back(EventIn(row)); }));
  return events;
}

Result<std::vector<GapRow>> SqliteRunStore::Gaps(const BootKey& boot) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  std::vector<GapRow> gaps;
  TACHO_TRY(EachRow(
      (*readers)->main(),
      "SELECT epoch, tier, first_seq, seq_count, reason FROM gaps JOIN boots USING (boot_ref)"
      " WHERE robot = ? AND boot_id = ? ORDER BY tier, epoch, first_seq",
      [&](Statement& query) { BindBoot(query, boot); },
      [&](const Statement& row) {
        gaps.push_back({Epoch{UnsignedBits(row.Int(0))}, static_cast<Tier>(row.Int(1)),
                        SeqRange{Seq{UnsignedBits(row.Int(2))}, UnsignedBits(row.Int(3))},
                        row.Text(4)});
      }));
  return gaps;
}

}  // namespace tacho
