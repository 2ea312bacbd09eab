#include "server/store/sqlite_run_store.h"

#include <fmt/format.h>
#include <system_error>

#include "common/log.h"
#include "server/store/migrations.h"

namespace tacho {
namespace {

// Days whose writer stays open: today, yesterday around midnight, and one that compaction visits.
constexpr std::size_t kOpenDays = 3;

}  // namespace

SqliteRunStore::SqliteRunStore(StoreConfig config, Database main)
    : config_(std::move(config)), main_(std::move(main)), readers_(config_.folder) {}

SqliteRunStore::~SqliteRunStore() = default;

Result<std::unique_ptr<SqliteRunStore>> SqliteRunStore::Open(const StoreConfig& config,
                                                             WallTime now) {
  std::error_code failed;
  std::filesystem::create_directories(config.folder, failed);
  if (failed) {
    return Status(Code::kUnavailable, fmt::format("cannot make the data folder {}: {}",
                                                  config.folder.string(), failed.message()));
  }
  auto main = Database::Open(config.folder / "main.db", {true, config.max_pages});
  if (!main.ok()) return std::move(main).status();
  TACHO_TRY(Migrate(*main, MainScripts(), now));
  std::unique_ptr<SqliteRunStore> store(new SqliteRunStore(config, *std::move(main)));
  TACHO_TRY(store->LearnMain());
  for (const auto& entry : std::filesystem::directory_iterator(config.folder, failed)) {
    const auto day = ParseDayFileName(entry.path().filename().string());
    if (!day) continue;
    if (!entry.is_regular_file(failed)) {
      Log(LogLevel::kWarning, entry.path().string() + " is no file: left alone");
      continue;
    }
    const Status learned = store->LearnDay(*day);
    if (learned.code() != Code::kCorrupt) {
      TACHO_TRY(learned);
      continue;
    }
    Log(LogLevel::kError, learned.message());
    TACHO_TRY(store->SetAside(*day));
  }
  return store;
}

Status SqliteRunStore::LearnMain() {
  // Gaps and marks have the same key; a third column tells them apart.
  auto query = main_.database().Prepare(
      "SELECT robot, boot_id, epoch, tier, first_seq, seq_count, is_gap FROM"
      " (SELECT boot_ref, epoch, tier, first_seq, seq_count, 0 AS is_gap FROM marks"
      "  UNION ALL SELECT boot_ref, epoch, tier, first_seq, seq_count, 1 FROM gaps)"
      " JOIN boots USING (boot_ref)");
  if (!query.ok()) return std::move(query).status();
  while ((*query)->Step()) {
    const StreamId stream = StreamIdIn(**query, 0);
    const SeqRange seqs{Seq{UnsignedBits((*query)->Int(4))}, UnsignedBits((*query)->Int(5))};
    if ((*query)->Int(6) != 0) {
      book_.AddGap(stream, seqs);
    } else if (stream.key.tier == Tier::kEvents) {
      book_.AddStored(stream, seqs);
    } else {
      book_.AddRetired(stream, seqs);
    }
  }
  return (*query)->Finish();
}

Status SqliteRunStore::LearnDay(Day day) {
  auto file = FileOf(day, {});
  if (!file.ok()) return std::move(file).status();
  // All of it before any of it counts: what a damaged file says last would contradict the rest.
  std::vector<std::pair<StreamId, SeqRange>> marks;
  std::map<StreamId, std::uint64_t> uncompacted;
  std::vector<std::pair<StreamId, SeenRange>> seen;
  TACHO_TRY((*file)->EachMark(
      [&](const StreamId& stream, SeqRange seqs) { marks.emplace_back(stream, seqs); }));
  TACHO_TRY((*file)->EachUncompacted(
      [&](const StreamId& stream, std::uint64_t rows) { uncompacted[stream] = rows; }));
  TACHO_TRY((*file)->EachSeen(
      [&](const StreamId& stream, SeenRange range) { seen.emplace_back(stream, range); }));
  for (const auto& [stream, seqs] : marks)
    book_.AddStored(stream, seqs);
  uncompacted_[day] = std::move(uncompacted);
  for (const auto& [stream, range] : seen)
    book_.See(stream.boot(), range.first, range.last);
  return {};
}

// Its records count as never received: robots send again what they still hold.
Status SqliteRunStore::SetAside(Day day) {
  files_.erase(day);
  readers_.DropDay(day);
  const std::filesystem::path file = config_.folder / FileNameOf(day);
  std::string aside = file.string() + ".damaged";
  std::error_code ignored;
  for (int i = 2; std::filesystem::exists(aside, ignored); ++i)
    aside = fmt::format("{}.damaged.{}", file.string(), i);
  for (const char* suffix : {"-wal", "-shm", ""}) {
    std::error_code failed;
    const std::filesystem::path part = file.string() + suffix;
    if (!std::filesystem::exists(part, failed)) continue;
    std::filesystem::rename(part, aside + suffix, failed);
    if (failed) {
      return {Code::kUnavailable,
              fmt::format("cannot set {} aside: {}", part.string(), failed.message())};
    }
  }
  Log(LogLevel::kError,
      fmt::format("{} is damaged: set aside as {}, what it held is not judged any more",
                  file.string(), aside));
  return {};
}

Result<DayFile*> SqliteRunStore::FileOf(Day day, WallTime now) {
  if (const auto open = files_.find(day); open != files_.end()) return &open->second;
  auto database = Database::Open(config_.folder / FileNameOf(day), {true, config_.max_pages});
  if (!database.ok()) return std::move(database).status();
  TACHO_TRY(Migrate(*database, DayScripts(), now));
  while (files_.size() >= kOpenDays)
    files_.erase(files_.begin());
  readers_.AddDay(day);
  return &files_.emplace(day, DayFile(*std::move(database))).first->second;
}

SeqRanges SqliteRunStore::CommittedOf(const StreamId& stream) const {
  return book_.Of(stream);
}
RecordCounts SqliteRunStore::CountsOf(const BootKey& boot) const {
  return book_.CountsOf(boot);
}
RecordCounts SqliteRunStore::CountsOf(const std::string& robot) const {
  return book_.CountsOf(robot);
}
RecordCounts SqliteRunStore::CountsOf(const std::string& robot, Tier tier) const {
  return book_.CountsOf(robot, tier);
}
std::vector<GapRow> SqliteRunStore::HolesOf(const BootKey& boot, std::size_t most) const {
  return book_.HolesOf(boot, most);
}
bool SqliteRunStore::HasRetired(const BootKey& boot) const {
  return book_.HasRetired(boot);
}

}  // namespace tacho
