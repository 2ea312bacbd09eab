#include "server/store/main_file.h"

#include <array>

namespace tacho {
namespace {

// Bounded by the robots and boots of one process's life; emptied rather than grown.
constexpr std::size_t kBootsKept = 65536;

std::span<const std::byte> BytesOf(const BootId& boot) {
  return std::as_bytes(std::span(boot.bytes));
}
std::int64_t Int(std::uint64_t value) {
  return SignedBits(value);
}

}  // namespace

Status MainFile::AddRobot(const std::string& robot, WallTime now) {
  auto insert =
      database_.Prepare("INSERT OR IGNORE INTO robots (robot, added_wall_ns) VALUES (?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return (*insert)->Bind(1, robot).Bind(2, Count(now)).Run();
}

Result<std::int64_t> MainFile::BootRef(const BootKey& boot, WallTime now) {
  if (const auto known = boots_.find(boot); known != boots_.end()) return known->second;
  if (boots_.size() >= kBootsKept) boots_.clear();
  TACHO_TRY(AddRobot(boot.robot, now));
  auto insert = database_.Prepare(
      "INSERT OR IGNORE INTO boots (robot, boot_id, first_receipt_wall_ns) VALUES (?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  TACHO_TRY((*insert)->Bind(1, boot.robot).Bind(2, BytesOf(boot.boot)).Bind(3, Count(now)).Run());
  auto query = database_.Prepare("SELECT boot_ref FROM boots WHERE robot = ? AND boot_id = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, boot.robot).Bind(2, BytesOf(boot.boot));
  const bool has_row = (*query)->Step();
  const std::int64_t ref = has_row ? (*query)->Int(0) : 0;
  TACHO_TRY((*query)->Finish());
  boots_[boot] = ref;
  return ref;
}

Result<std::int64_t> MainFile::RunRef(const RunKey& run) {
  auto query = database_.Prepare(
      "SELECT run_ref FROM runs JOIN boots USING (boot_ref)"
      " WHERE robot = ? AND boot_id = ? AND number = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, run.boot.robot).Bind(2, BytesOf(run.boot.boot));
  (*query)->Bind(3, std::int64_t{run.number});
  const bool has_row = (*query)->Step();
  const std::int64_t ref = has_row ? (*query)->Int(0) : 0;
  TACHO_TRY((*query)->Finish());
  if (!has_row) return Status(Code::kNotFound, "no such run");
  return ref;
}

Status MainFile::Add(const Arrival& arrival, const std::vector<SeqRange>& missing) {
  if (const auto* facts = std::get_if<DictionaryFacts>(&arrival.meaning)) {
    return AddDictionary(facts->hash, arrival.record);
  }
  if (const auto* gap = std::get_if<Gap>(&arrival.meaning)) return AddGap(arrival, *gap, missing);
  const auto boot = BootRef(arrival.stream().boot(), arrival.received);
  if (!boot.ok()) return *boot.error();
  if (const auto* report = std::get_if<BootReport>(&arrival.meaning)) {
    return AddReport(*boot, arrival.record, *report);
  }
  if (const auto* pair = std::get_if<ClockPair>(&arrival.meaning)) return AddPair(*boot, *pair);
  if (const auto* change = std::get_if<RunChange>(&arrival.meaning)) {
    return AddRun(*boot, arrival, *change);
  }
  if (const auto* event = std::get_if<Event>(&arrival.meaning)) {
    return AddEvent(*boot, arrival.record, *event);
  }
  if (std::holds_alternative<UnknownFacts>(arrival.meaning)) {
    return AddUnknown(*boot, arrival.record);
  }
  return {Code::kInternal, "a summary does not belong into main.db"};
}

Status MainFile::AddMark(const StreamId& stream, SeqRange seqs, WallTime now) {
  const auto boot = BootRef(stream.boot(), now);
  if (!boot.ok()) return *boot.error();
  const auto bind = [&](Statement& statement) -> Statement& {
    return statement.Bind(1, Int(Number(seqs.first)))
        .Bind(2, Int(seqs.count))
        .Bind(3, *boot)
        .Bind(4, Int(Number(stream.key.epoch)))
        .Bind(5, static_cast<std::int64_t>(stream.key.tier));
  };
  // Usually the range follows the newest one, which grows; else it starts a row of its own.
  auto grow = database_.Prepare(
      "UPDATE marks SET seq_count = seq_count + ?2 WHERE boot_ref = ?3 AND epoch = ?4 AND tier = ?5"
      " AND first_seq = (SELECT max(first_seq) FROM marks WHERE boot_ref = ?3 AND epoch = ?4"
      " AND tier = ?5 AND first_seq < ?1) AND first_seq + seq_count = ?1");
  if (!grow.ok()) return std::move(grow).status();
  TACHO_TRY(bind(**grow).Run());
  if (database_.Changes() > 0) return {};
  auto insert = database_.Prepare(
      "INSERT INTO marks (first_seq, seq_count, boot_ref, epoch, tier) VALUES (?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return bind(**insert).Run();
}

Status MainFile::AddDictionary(DictionaryHash hash, const Record& record) {
  auto insert = database_.Prepare("INSERT OR IGNORE INTO dictionaries VALUES (?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return (*insert)->Bind(1, Int(static_cast<std::uint64_t>(hash))).Bind(2, record.payload).Run();
}

Status MainFile::AddReport(std::int64_t boot, const Record& record, const BootReport& report) {
  auto insert =
      database_.Prepare("INSERT OR IGNORE INTO boot_reports VALUES (?, ?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  TACHO_TRY((*insert)
                ->Bind(1, boot)
                .Bind(2, Int(Number(record.stream.epoch)))
                .Bind(3, Int(Number(record.seqs.first)))
                .Bind(4, Count(report.recorder_started))
                .Bind(5, report.agent)
                .Bind(6, std::int64_t{report.previous_ended_clean})
                .Bind(7, report.previous_end)
                .Run());
  auto update = database_.Prepare(
      "UPDATE boots SET boot_counter = max(boot_counter, ?),"
      " agent = iif(agent = '', ?, agent) WHERE boot_ref = ?");
  if (!update.ok()) return std::move(update).status();
  TACHO_TRY((*update)->Bind(1, Int(report.boot_counter)).Bind(2, report.agent).Bind(3, boot).Run());
  return SeeBoot(boot, report.recorder_started);
}

Status MainFile::AddPair(std::int64_t boot, const ClockPair& pair) {
  // Before 1970 or after 2116 is no date that any clock of a robot means: nothing to learn from it,
  // and arithmetic with it could overflow.
  if (Count(pair.wall) < 0 || Count(pair.wall) > std::int64_t{1} << 62) return {};
  auto insert = database_.Prepare("INSERT OR IGNORE INTO clock_pairs VALUES (?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return (*insert)
      ->Bind(1, boot)
      .Bind(2, static_cast<std::int64_t>(pair.trust))
      .Bind(3, Count(pair.boot))
      .Bind(4, Count(pair.wall))
      .Run();
}

// The two ends of a run come in any order; each says what it knows, and neither unsays the other.
Status MainFile::AddRun(std::int64_t boot, const Arrival& arrival, const RunChange& change) {
  const bool opens = change.what == RunChange::What::kOpened;
  auto upsert = database_.Prepare(
      "INSERT INTO runs (boot_ref, number, name, opened_boot_ns, closed_boot_ns, close_reason,"
      " dictionary, receipt_wall_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
      " ON CONFLICT (boot_ref, number) DO UPDATE SET"
      " name = iif(?4 IS NOT NULL OR name = '', ?3, name),"
      " opened_boot_ns = min(ifnull(opened_boot_ns, ?4), ifnull(?4, opened_boot_ns)),"
      " close_reason = iif(?5 IS NOT NULL AND ?5 >= ifnull(closed_boot_ns, ?5), ?6, close_reason),"
      " closed_boot_ns = max(ifnull(closed_boot_ns, ?5), ifnull(?5, closed_boot_ns)),"
      " dictionary = iif(?4 IS NOT NULL OR dictionary = 0, ?7, dictionary)");
  if (!upsert.ok()) return std::move(upsert).status();
  const std::optional<std::int64_t> at = Count(change.at);
  const std::optional<std::int64_t> none;
  TACHO_TRY((*upsert)
                ->Bind(1, boot)
                .Bind(2, std::int64_t{change.number})
                .Bind(3, change.name)
                .Bind(4, opens ? at : none)
                .Bind(5, opens ? none : at)
                .Bind(6, opens ? std::string_view() : std::string_view(change.reason))
                .Bind(7, Int(static_cast<std::uint64_t>(arrival.record.dictionary)))
                .Bind(8, Count(arrival.received))
                .Run());
  TACHO_TRY(AddRunLabels(boot, change));
  return SeeBoot(boot, change.at);
}

// Where both ends name a label, the opening's value holds, whichever comes first.
Status MainFile::AddRunLabels(std::int64_t boot, const RunChange& change) {
  const bool opens = change.what == RunChange::What::kOpened;
  auto insert =
      database_.Prepare(opens ? "INSERT OR REPLACE INTO run_labels SELECT run_ref, ?, ? FROM runs"
                                " WHERE boot_ref = ? AND number = ?"
                              : "INSERT OR IGNORE INTO run_labels SELECT run_ref, ?, ? FROM runs"
                                " WHERE boot_ref = ? AND number = ?");
  if (!insert.ok()) return std::move(insert).status();
  for (const auto& [name, value] : change.labels) {
    TACHO_TRY((*insert)
                  ->Bind(1, name)
                  .Bind(2, value)
                  .Bind(3, boot)
                  .Bind(4, std::int64_t{change.number})
                  .Run());
  }
  return {};
}

Status MainFile::AddEvent(std::int64_t boot, const Record& record, const Event& event) {
  auto insert = database_.Prepare(
      "INSERT OR IGNORE INTO events (boot_ref, epoch, seq, at_boot_ns, severity, kind, detail)"
      " VALUES (?, ?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  TACHO_TRY((*insert)
                ->Bind(1, boot)
                .Bind(2, Int(Number(record.stream.epoch)))
                .Bind(3, Int(Number(record.seqs.first)))
                .Bind(4, Count(event.at))
                .Bind(5, static_cast<std::int64_t>(event.severity))
                .Bind(6, event.kind)
                .Bind(7, event.detail)
                .Run());
  return SeeBoot(boot, event.at);
}

Status MainFile::AddUnknown(std::int64_t boot, const Record& record) {
  auto insert = database_.Prepare(
      "INSERT OR IGNORE INTO other_records (boot_ref, epoch, seq, kind, payload)"
      " VALUES (?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return (*insert)
      ->Bind(1, boot)
      .Bind(2, Int(Number(record.stream.epoch)))
      .Bind(3, Int(Number(record.seqs.first)))
      .Bind(4, static_cast<std::int64_t>(record.kind))
      .Bind(5, record.payload)
      .Run();
}

Status MainFile::AddGap(const Arrival& arrival, const Gap& gap,
                        const std::vector<SeqRange>& missing) {
  const auto boot = BootRef({arrival.robot, gap.stream.boot}, arrival.received);
  if (!boot.ok()) return *boot.error();
  auto insert = database_.Prepare("INSERT OR IGNORE INTO gaps VALUES (?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  for (const SeqRange& range : missing) {
    TACHO_TRY((*insert)
                  ->Bind(1, *boot)
                  .Bind(2, Int(Number(gap.stream.epoch)))
                  .Bind(3, static_cast<std::int64_t>(gap.stream.tier))
                  .Bind(4, Int(Number(range.first)))
                  .Bind(5, Int(range.count))
                  .Bind(6, gap.reason)
                  .Run());
  }
  return {};
}

Status MainFile::AddRobotEvent(const RobotEvent& event) {
  auto insert = database_.Prepare(
      "INSERT INTO robot_events (robot, at_wall_ns, severity, kind, detail)"
      " VALUES (?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return (*insert)
      ->Bind(1, event.robot)
      .Bind(2, Count(event.at))
      .Bind(3, static_cast<std::int64_t>(event.severity))
      .Bind(4, event.kind)
      .Bind(5, event.detail)
      .Run();
}

Status MainFile::SeeBoot(std::int64_t boot, BootTime at) {
  auto update = database_.Prepare(
      "UPDATE boots SET last_seen_boot_ns = max(ifnull(last_seen_boot_ns, ?1), ?1)"
      " WHERE boot_ref = ?2 AND ifnull(last_seen_boot_ns, ?1 - 1) < ?1");
  if (!update.ok()) return std::move(update).status();
  return (*update)->Bind(1, Count(at)).Bind(2, boot).Run();
}

}  // namespace tacho
