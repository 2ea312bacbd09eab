// Retention: a day is unlinked once its marks and times are in main.db.
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <system_error>

#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

Status MoveMarks(MainFile& main, const std::map<StreamId, SeqRanges>& marks,
                 const std::map<StreamId, SeqRanges>& there) {
  for (const auto& [stream, ranges] : marks) {
    const auto known = there.find(stream);
    for (const SeqRange& range : ranges.list()) {
      const auto missing =
          known == there.end() ? std::vector{range} : known->second.MissingIn(range);
      for (const SeqRange& part : missing)
        TACHO_TRY(main.AddMark(stream, part, {}));
    }
  }
  return {};
}

Result<std::map<StreamId, SeqRanges>> RetiredMarks(Database& main) {
  auto query = main.Prepare(
      "SELECT robot, boot_id, epoch, tier, first_seq, seq_count FROM marks JOIN boots"
      " USING (boot_ref) WHERE tier <> 0");
  if (!query.ok()) return std::move(query).status();
  std::map<StreamId, SeqRanges> marks;
  while ((*query)->Step()) {
    marks[StreamIdIn(**query, 0)].Add(
        {Seq{UnsignedBits((*query)->Int(4))}, UnsignedBits((*query)->Int(5))});
  }
  TACHO_TRY((*query)->Finish());
  return marks;
}

// A recorder brings a pair a minute. Of old boots one an hour is kept, and every one that steps.
constexpr std::int64_t kPairDistance = std::int64_t{3600} * 1'000'000'000;
constexpr std::int64_t kPairStep = 50'000'000;

Status ThinPairs(Database& main, std::int64_t boot) {
  auto query = main.Prepare(
      "SELECT trust, boot_ns, wall_ns FROM clock_pairs WHERE boot_ref = ?"
      " ORDER BY trust, boot_ns, wall_ns");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, boot);
  struct Row {
    std::int64_t trust, at, wall;
  };
  std::vector<Row> dropped;
  std::optional<Row> kept;
  while ((*query)->Step()) {
    const Row row{(*query)->Int(0), (*query)->Int(1), (*query)->Int(2)};
    const bool is_steady = kept && kept->trust == row.trust && row.at - kept->at < kPairDistance &&
                           std::abs((row.wall - kept->wall) - (row.at - kept->at)) < kPairStep;
    if (is_steady) {
      dropped.push_back(row);
    } else {
      kept = row;
    }
  }
  TACHO_TRY((*query)->Finish());
  auto drop = main.Prepare(
      "DELETE FROM clock_pairs WHERE boot_ref = ? AND trust = ? AND boot_ns = ? AND wall_ns = ?");
  if (!drop.ok()) return std::move(drop).status();
  for (const Row& row : dropped) {
    TACHO_TRY((*drop)->Bind(1, boot).Bind(2, row.trust).Bind(3, row.at).Bind(4, row.wall).Run());
  }
  return {};
}

}  // namespace

Result<std::vector<BootKey>> SqliteRunStore::BootsBefore(WallTime day_of) {
  std::set<BootKey> boots;
  for (const Day day : readers_.days()) {
    if (day >= DayOf(day_of)) continue;
    const auto file = FileOf(day, {});
    if (!file.ok()) return *file.error();
    TACHO_TRY(
        (*file)->EachSeen([&](const StreamId& stream, SeenRange) { boots.insert(stream.boot()); }));
  }
  return std::vector<BootKey>(boots.begin(), boots.end());
}

Status SqliteRunStore::Retire(WallTime day_of) {
  for (const Day day : readers_.days()) {
    if (day >= DayOf(day_of)) continue;
    TACHO_TRY(RetireDay(day).Under("retire " + FileNameOf(day)));
  }
  return {};
}

Status SqliteRunStore::RetireDay(Day day) {
  const auto file = FileOf(day, {});
  if (!file.ok()) return *file.error();
  std::map<StreamId, SeqRanges> marks;
  std::map<StreamId, SeenRange> seen;
  TACHO_TRY(
      (*file)->EachMark([&](const StreamId& stream, SeqRange seqs) { marks[stream].Add(seqs); }));
  TACHO_TRY((*file)->EachSeen(
      [&](const StreamId& stream, SeenRange range) { seen.try_emplace(stream, range); }));
  Status kept = RunInMain("keep the marks", [&](MainFile& main) -> Status {
    const auto there = RetiredMarks(main.database());
    if (!there.ok()) return *there.error();
    TACHO_TRY(MoveMarks(main, marks, *there));
    for (const auto& [stream, range] : seen) {
      const auto boot = main.BootRef(stream.boot(), {});
      if (!boot.ok()) return *boot.error();
      TACHO_TRY(main.SeeBoot(*boot, range.last));
      TACHO_TRY(ThinPairs(main.database(), *boot));
    }
    return {};
  });
  TACHO_TRY(std::move(kept));
  for (const auto& [stream, ranges] : marks) {
    for (const SeqRange& range : ranges.list())
      book_.AddRetired(stream, range);
  }
  files_.erase(day);
  uncompacted_.erase(day);
  readers_.DropDay(day);
  const std::filesystem::path path = config_.folder / FileNameOf(day);
  for (const char* suffix : {"", "-shm", "-wal"}) {
    std::error_code failed;
    std::filesystem::remove(path.string() + suffix, failed);
    if (failed) {
      return {Code::kUnavailable,
              fmt::format("cannot remove {}{}: {}", path.string(), suffix, failed.message())};
    }
  }
  return {};
}

}  // namespace tacho
