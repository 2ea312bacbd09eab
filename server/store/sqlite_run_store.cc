#include "server/store/sqlite_run_store.h"

#include <fmt/format.h>
#include <system_error>

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
    if (day) TACHO_TRY(store->LearnDay(*day));
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
  TACHO_TRY((*file)->EachMark(
      [this](const StreamId& stream, SeqRange seqs) { book_.AddStored(stream, seqs); }));
  TACHO_TRY((*file)->EachUncompacted(
      [&](const StreamId& stream, std::uint64_t rows) { uncompacted_[day][stream] = rows; }));
  return (*file)->EachSeen([this](const StreamId& stream, SeenRange seen) {
    book_.See(stream.boot(), seen.first, seen.last);
  });
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
bool SqliteRunStore::HasRetired(const BootKey& boot) const {
  return book_.HasRetired(boot);
}

}  // namespace tacho
