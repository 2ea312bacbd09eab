#include "server/store/day_file.h"

#include <algorithm>
#include <cstring>

namespace tacho {
namespace {

constexpr std::size_t kStreamsKept = 65536;
constexpr std::int64_t kFreeShare = 16;  // one page in so many may lie idle

}  // namespace

StreamId StreamIdIn(const Statement& row, int column) {
  StreamId stream;
  stream.robot = row.Text(column);
  const auto boot = row.Blob(column + 1);
  std::memcpy(stream.key.boot.bytes.data(), boot.data(),
              std::min(boot.size(), stream.key.boot.bytes.size()));
  stream.key.epoch = Epoch{UnsignedBits(row.Int(column + 2))};
  stream.key.tier = static_cast<Tier>(row.Int(column + 3));
  return stream;
}

Result<std::int64_t> DayFile::StreamRef(const StreamId& stream) {
  if (const auto known = streams_.find(stream); known != streams_.end()) return known->second;
  if (streams_.size() >= kStreamsKept) streams_.clear();
  const auto bind = [&](Statement& statement) -> Statement& {
    return statement.Bind(1, stream.robot)
        .Bind(2, std::as_bytes(std::span(stream.key.boot.bytes)))
        .Bind(3, SignedBits(Number(stream.key.epoch)))
        .Bind(4, static_cast<std::int64_t>(stream.key.tier));
  };
  auto insert = database_.Prepare(
      "INSERT OR IGNORE INTO streams (robot, boot_id, epoch, tier) VALUES (?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  TACHO_TRY(bind(**insert).Run());
  auto query = database_.Prepare(
      "SELECT stream_ref FROM streams WHERE robot = ? AND boot_id = ? AND epoch = ? AND tier = ?");
  if (!query.ok()) return std::move(query).status();
  const bool has_row = bind(**query).Step();
  const std::int64_t ref = has_row ? (*query)->Int(0) : 0;
  TACHO_TRY((*query)->Finish());
  streams_[stream] = ref;
  return ref;
}

Status DayFile::AddBatch(const StreamId& stream, const Record& record, const SummaryFacts& facts) {
  const auto ref = StreamRef(stream);
  if (!ref.ok()) return *ref.error();
  auto insert = database_.Prepare(
      "INSERT INTO batches (stream_ref, first_seq, seq_count, dictionary, first_boot_ns,"
      " last_boot_ns, row_count, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return (*insert)
      ->Bind(1, *ref)
      .Bind(2, SignedBits(Number(record.seqs.first)))
      .Bind(3, SignedBits(record.seqs.count))
      .Bind(4, SignedBits(static_cast<std::uint64_t>(record.dictionary)))
      .Bind(5, Count(facts.first))
      .Bind(6, Count(facts.last))
      .Bind(7, SignedBits(facts.rows))
      .Bind(8, record.payload)
      .Run();
}

Status DayFile::AddMark(const StreamId& stream, SeqRange seqs) {
  const auto ref = StreamRef(stream);
  if (!ref.ok()) return *ref.error();
  const auto bind = [&](Statement& statement) -> Statement& {
    return statement.Bind(1, SignedBits(Number(seqs.first)))
        .Bind(2, SignedBits(seqs.count))
        .Bind(3, *ref);
  };
  // Usually the range follows the newest one, which grows; else it starts a row of its own.
  auto grow = database_.Prepare(
      "UPDATE marks SET seq_count = seq_count + ?2 WHERE stream_ref = ?3 AND first_seq ="
      " (SELECT max(first_seq) FROM marks WHERE stream_ref = ?3 AND first_seq < ?1)"
      " AND first_seq + seq_count = ?1");
  if (!grow.ok()) return std::move(grow).status();
  TACHO_TRY(bind(**grow).Run());
  if (database_.Changes() > 0) return {};
  auto insert =
      database_.Prepare("INSERT INTO marks (first_seq, seq_count, stream_ref) VALUES (?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  return bind(**insert).Run();
}

Status DayFile::Shrink() {
  const auto count = [&](const char* pragma) -> Result<std::int64_t> {
    auto query = database_.Prepare(pragma);
    if (!query.ok()) return std::move(query).status();
    const std::int64_t pages = (*query)->Step() ? (*query)->Int(0) : 0;
    TACHO_TRY((*query)->Finish());
    return pages;
  };
  const auto pages = count("PRAGMA page_count");
  if (!pages.ok()) return *pages.error();
  const auto free = count("PRAGMA freelist_count");
  if (!free.ok()) return *free.error();
  // New batches take free pages first: a few are worth keeping.
  if (*free * kFreeShare <= *pages) return {};
  return database_.Execute("PRAGMA incremental_vacuum;");
}

Status DayFile::EachMark(const std::function<void(const StreamId&, SeqRange)>& see) {
  auto query = database_.Prepare(
      "SELECT robot, boot_id, epoch, tier, first_seq, seq_count FROM marks JOIN streams"
      " USING (stream_ref) ORDER BY stream_ref, first_seq");
  if (!query.ok()) return std::move(query).status();
  while ((*query)->Step()) {
    see(StreamIdIn(**query, 0),
        {Seq{UnsignedBits((*query)->Int(4))}, UnsignedBits((*query)->Int(5))});
  }
  return (*query)->Finish();
}

Status DayFile::EachUncompacted(
    const std::function<void(const StreamId&, std::uint64_t rows)>& see) {
  auto query = database_.Prepare(
      "SELECT robot, boot_id, epoch, tier, sum(row_count) FROM batches JOIN streams"
      " USING (stream_ref) GROUP BY stream_ref");
  if (!query.ok()) return std::move(query).status();
  while ((*query)->Step())
    see(StreamIdIn(**query, 0), UnsignedBits((*query)->Int(4)));
  return (*query)->Finish();
}

// Both columns are in the index: no payload page is touched.
Status DayFile::EachSeen(const std::function<void(const StreamId&, SeenRange)>& see) {
  for (const char* sql :
       {"SELECT robot, boot_id, epoch, tier,"
        " (SELECT min(first_boot_ns) FROM batches b WHERE b.stream_ref = s.stream_ref),"
        " (SELECT max(last_boot_ns) FROM batches b WHERE b.stream_ref = s.stream_ref)"
        " FROM streams s",
        "SELECT robot, boot_id, epoch, tier,"
        " (SELECT min(first_boot_ns) FROM chunks c WHERE c.stream_ref = s.stream_ref),"
        " (SELECT max(last_boot_ns) FROM chunks c WHERE c.stream_ref = s.stream_ref)"
        " FROM streams s"}) {
    auto query = database_.Prepare(sql);
    if (!query.ok()) return std::move(query).status();
    while ((*query)->Step()) {
      const auto first = (*query)->MaybeInt(4);
      const auto last = (*query)->MaybeInt(5);
      if (!first || !last) continue;
      see(StreamIdIn(**query, 0), {BootTimeOf(*first), BootTimeOf(*last)});
    }
    TACHO_TRY((*query)->Finish());
  }
  return {};
}

}  // namespace tacho
