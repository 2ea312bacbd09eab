// Reading what was stored of rows: batches and chunks of a boot, and what was derived from
// them.
#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

constexpr const char* kBatches =
    "SELECT s.epoch, first_seq, seq_count, dictionary, first_boot_ns, last_boot_ns, payload"
    " FROM streams s JOIN batches USING (stream_ref) WHERE s.robot = ? AND s.boot_id = ?"
    " AND s.tier = ? AND last_boot_ns >= ? AND first_boot_ns < ?";
constexpr const char* kChunks =
    "SELECT s.epoch, first_seq, seq_count, dictionary, first_boot_ns, last_boot_ns, payload"
    " FROM streams s JOIN chunks USING (stream_ref) WHERE s.robot = ? AND s.boot_id = ?"
    " AND s.tier = ? AND last_boot_ns >= ? AND first_boot_ns < ?";

StoredPiece PieceIn(const Statement& row, const PieceFilter& filter) {
  StoredPiece piece;
  piece.stream = {filter.boot.boot, Epoch{UnsignedBits(row.Int(0))}, filter.tier};
  piece.seqs = {Seq{UnsignedBits(row.Int(1))}, UnsignedBits(row.Int(2))};
  piece.dictionary = DictionaryHash{UnsignedBits(row.Int(3))};
  piece.first = BootTimeOf(row.Int(4));
  piece.last = BootTimeOf(row.Int(5));
  return piece;
}

Status VisitTable(Database& day, const char* sql, const PieceFilter& filter,
                  PieceVisitor& visitor) {
  auto query = day.Prepare(sql);
  if (!query.ok()) return std::move(query).status();
  (*query)
      ->Bind(1, filter.boot.robot)
      .Bind(2, std::as_bytes(std::span(filter.boot.boot.bytes)))
      .Bind(3, static_cast<std::int64_t>(filter.tier))
      .Bind(4, Count(filter.from))
      .Bind(5, Count(filter.to));
  while ((*query)->Step()) {
    const StoredPiece piece = PieceIn(**query, filter);
    if (!visitor.Wants(piece)) continue;
    if (Status failed = visitor.Take(piece, (*query)->Blob(6)); !failed.ok()) {
      // The statement's own state is ignored since the visitor's failure is what is reported.
      static_cast<void>((*query)->Finish().ok());
      return failed;
    }
  }
  return (*query)->Finish();
}

Result<std::int64_t> RunRefIn(Database& main, const RunKey& run) {
  auto query = main.Prepare(
      "SELECT run_ref FROM runs JOIN boots USING (boot_ref)"
      " WHERE robot = ? AND boot_id = ? AND number = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)
      ->Bind(1, run.boot.robot)
      .Bind(2, std::as_bytes(std::span(run.boot.boot.bytes)))
      .Bind(3, std::int64_t{run.number});
  const bool has_row = (*query)->Step();
  const std::int64_t ref = has_row ? (*query)->Int(0) : 0;
  TACHO_TRY((*query)->Finish());
  if (!has_row) return Status(Code::kNotFound, "no such run");
  return ref;
}

}  // namespace

// Batches and chunks of a day are read in one transaction: compaction moves rows from the one to
// the other, and a reader must see them once.
Status SqliteRunStore::VisitPieces(const PieceFilter& filter, PieceVisitor& visitor) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  for (const Day day : readers_.days()) {
    auto file = (*readers)->OfDay(day);
    if (!file.ok()) return std::move(file).status();
    Transaction snapshot(**file);
    TACHO_TRY(snapshot.BeginReading());
    TACHO_TRY(VisitTable(**file, kChunks, filter, visitor));
    TACHO_TRY(VisitTable(**file, kBatches, filter, visitor));
    TACHO_TRY(snapshot.Commit());
  }
  return {};
}

Result<std::vector<std::byte>> SqliteRunStore::RollupOf(const RunKey& run) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  const auto ref = RunRefIn((*readers)->main(), run);
  if (!ref.ok()) return *ref.error();
  auto query = (*readers)->main().Prepare("SELECT payload FROM rollups WHERE run_ref = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, *ref);
  const bool has_row = (*query)->Step();
  std::vector<std::byte> payload;
  if (has_row) payload.assign((*query)->Blob(0).begin(), (*query)->Blob(0).end());
  TACHO_TRY((*query)->Finish());
  if (!has_row) return Status(Code::kNotFound, "no rollup is saved");
  return payload;
}

Result<VerdictRow> SqliteRunStore::VerdictOf(const RunKey& run) {
  auto readers = readers_.Borrow();
  if (!readers.ok()) return std::move(readers).status();
  const auto ref = RunRefIn((*readers)->main(), run);
  if (!ref.ok()) return *ref.error();
  auto query = (*readers)->main().Prepare(
      "SELECT fingerprint, verdict, coverage FROM verdicts WHERE run_ref = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, *ref);
  const bool has_row = (*query)->Step();
  VerdictRow verdict;
  if (has_row) verdict = {(*query)->Text(0), (*query)->Text(1), (*query)->Real(2)};
  TACHO_TRY((*query)->Finish());
  if (!has_row) return Status(Code::kNotFound, "no verdict is saved");
  return verdict;
}

}  // namespace tacho
