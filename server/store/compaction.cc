// Compaction: many batches of one stream become one chunk per group, checked bit by bit.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "common/codec/block.h"
#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

struct BatchRef {
  std::int64_t ref = 0;
  SeqRange seqs;
  std::int64_t dictionary = 0;
  std::uint64_t rows = 0;
};

// Consecutive batches of one dictionary that become one chunk per group.
struct Unit {
  std::vector<BatchRef> batches;
  SeqRange seqs() const {
    const Seq first = batches.front().seqs.first;
    return {first, batches.back().seqs.end() - first};
  }
};

Result<std::vector<BatchRef>> BatchesOf(Database& day, std::int64_t stream) {
  auto query = day.Prepare(
      "SELECT batch_ref, first_seq, seq_count, dictionary, row_count FROM batches"
      " WHERE stream_ref = ? ORDER BY first_seq");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, stream);
  std::vector<BatchRef> batches;
  while ((*query)->Step()) {
    batches.push_back({(*query)->Int(0),
                       {Seq{UnsignedBits((*query)->Int(1))}, UnsignedBits((*query)->Int(2))},
                       (*query)->Int(3),
                       UnsignedBits((*query)->Int(4))});
  }
  TACHO_TRY((*query)->Finish());
  return batches;
}

// The first unit worth compacting: `rows` or more; on a past day any two batches that touch.
std::optional<Unit> FirstUnit(const std::vector<BatchRef>& batches, std::uint64_t rows,
                              bool is_past) {
  Unit unit;
  std::uint64_t held = 0;
  for (const BatchRef& batch : batches) {
    const bool continues = !unit.batches.empty() &&
                           unit.batches.back().seqs.end() == batch.seqs.first &&
                           unit.batches.back().dictionary == batch.dictionary;
    if (!continues) {
      if (is_past && unit.batches.size() >= 2) return unit;
      unit = {};
      held = 0;
    }
    unit.batches.push_back(batch);
    held += batch.rows;
    if (held >= rows && unit.batches.size() >= 2) return unit;
  }
  if (is_past && unit.batches.size() >= 2) return unit;
  return std::nullopt;
}

Result<std::vector<Block>> BlocksOf(Database& day, const Unit& unit) {
  auto query = day.Prepare("SELECT payload FROM batches WHERE batch_ref = ?");
  if (!query.ok()) return std::move(query).status();
  std::vector<Block> blocks;
  for (const BatchRef& batch : unit.batches) {
    (*query)->Bind(1, batch.ref);
    if (!(*query)->Step()) return Status(Code::kInternal, "a batch vanished under compaction");
    auto decoded = DecodeBlocks((*query)->Blob(0));
    TACHO_TRY((*query)->Finish());
    if (!decoded.ok()) return std::move(decoded).status();
    Append(blocks, *decoded);
  }
  return blocks;
}

Status AddChunk(Database& day, std::int64_t stream, const Unit& unit, const Block& block) {
  const auto payload = EncodeBlocks(std::span(&block, 1), Packing::kZstd);
  const auto back = DecodeBlocks(payload);
  if (!back.ok() || back->size() != 1 || back->front() != block) {
    return {Code::kInternal, "a chunk does not decode to its batches: they stay as they are"};
  }
  auto insert = day.Prepare(
      "INSERT INTO chunks (stream_ref, group_id, first_seq, seq_count, dictionary, first_boot_ns,"
      " last_boot_ns, row_count, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  const auto [first, last] = std::minmax_element(block.times.begin(), block.times.end());
  return (*insert)
      ->Bind(1, stream)
      .Bind(2, std::int64_t{Number(block.group)})
      .Bind(3, SignedBits(Number(unit.seqs().first)))
      .Bind(4, SignedBits(unit.seqs().count))
      .Bind(5, unit.batches.front().dictionary)
      .Bind(6, Count(*first))
      .Bind(7, Count(*last))
      .Bind(8, SignedBits(block.rows()))
      .Bind(9, payload)
      .Run();
}

Status DropBatches(Database& day, const Unit& unit) {
  auto drop = day.Prepare("DELETE FROM batches WHERE batch_ref = ?");
  if (!drop.ok()) return std::move(drop).status();
  for (const BatchRef& batch : unit.batches)
    TACHO_TRY((*drop)->Bind(1, batch.ref).Run());
  return {};
}

Status CompactUnit(Database& day, std::int64_t stream, const Unit& unit) {
  const auto blocks = BlocksOf(day, unit);
  if (!blocks.ok()) return *blocks.error();
  Transaction transaction(day);
  TACHO_TRY(transaction.Begin());
  for (const Block& block : *blocks) {
    if (block.rows() > 0) TACHO_TRY(AddChunk(day, stream, unit, block));
  }
  TACHO_TRY(DropBatches(day, unit));
  return transaction.Commit();
}

}  // namespace

Result<std::vector<BootKey>> SqliteRunStore::CompactionDue(WallTime now) {
  std::set<BootKey> boots;
  for (const auto& [day, streams] : uncompacted_) {
    for (const auto& [stream, rows] : streams) {
      if (rows >= config_.compaction.rows || day < DayOf(now)) boots.insert(stream.boot());
    }
  }
  return std::vector<BootKey>(boots.begin(), boots.end());
}

Result<bool> SqliteRunStore::CompactSome(WallTime now) {
  for (auto& [day, streams] : uncompacted_) {
    const bool is_past = day < DayOf(now);
    for (auto at = streams.begin(); at != streams.end();) {
      if (at->second < config_.compaction.rows && !is_past) {
        ++at;
        continue;
      }
      auto did = CompactStream(day, at->first, is_past);
      if (did.ok() && *did) return true;
      // Looked at. Also after a failure: what cannot be compacted waits until more arrives.
      at->second = 0;
      if (is_past) {
        at = streams.erase(at);
      }
      if (!did.ok()) return std::move(did).status().Under("compact " + FileNameOf(day));
    }
  }
  return false;
}

Result<bool> SqliteRunStore::CompactStream(Day day, const StreamId& stream, bool is_past) {
  const auto file = FileOf(day, {});
  if (!file.ok()) return *file.error();
  const auto ref = (*file)->StreamRef(stream);
  if (!ref.ok()) return *ref.error();
  const auto batches = BatchesOf((*file)->database(), *ref);
  if (!batches.ok()) return *batches.error();
  const auto unit = FirstUnit(*batches, config_.compaction.rows, is_past);
  if (!unit) {
    TACHO_TRY((*file)->Shrink());
    return false;
  }
  TACHO_TRY(CompactUnit((*file)->database(), *ref, *unit));
  return true;
}

}  // namespace tacho
