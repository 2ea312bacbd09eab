#include "daemon/uplink/backlog.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "common/log.h"
#include "daemon/uplink/packer.h"
#include "daemon/uplink/send_order.h"

namespace tacho {

namespace {

constexpr std::size_t kMaxHelloStreams = 256;
// Streams that are gone from the spool are forgotten; this bounds those in between.
constexpr std::size_t kMaxSaid = 256;
constexpr ReadLimit kBatch;

std::optional<Gap> GapIn(const Record& record) {
  if (record.kind != RecordKind::kGap) return std::nullopt;
  auto gap = DecodeGap(record.payload);
  if (!gap.ok()) return std::nullopt;
  return *std::move(gap);
}

// Whether the same bytes will never be taken.
bool IsForGood(Code code) {
  return code == Code::kExhausted || code == Code::kInvalid || code == Code::kUnsupported ||
         code == Code::kCorrupt;
}

}  // namespace

Backlog::Backlog(RecordSource& source, const BootId& current)
    : source_(source), current_(current) {}

Status Backlog::Look() {
  auto held = source_.Streams();
  if (!held.ok()) return std::move(held).status();
  held_ = *std::move(held);
  SortForSending(held_, current_);
  std::erase_if(streams_, [this](const auto& entry) {
    return std::none_of(held_.begin(), held_.end(),
                        [&](const SpooledStream& stream) { return stream.key == entry.first; });
  });
  return Status();
}

std::vector<StreamKey> Backlog::streams() const {
  std::vector<StreamKey> keys;
  for (const SpooledStream& stream : held_) {
    if (keys.size() == kMaxHelloStreams) break;
    keys.push_back(stream.key);
  }
  return keys;
}

std::uint64_t Backlog::boot_counter() const {
  std::uint64_t counter = 0;
  for (const SpooledStream& stream : held_) {
    if (stream.key.boot == current_) counter = std::max(counter, stream.boot_counter);
  }
  return counter;
}

Backlog::Stream& Backlog::At(const StreamKey& key) {
  const auto found = streams_.find(key);
  if (found != streams_.end()) return found->second;
  return streams_.emplace(key, Stream(source_.Through(key))).first->second;
}

std::optional<Record> Backlog::Next(const Demand& demand) {
  for (const SpooledStream& held : held_) {
    if (held.key.tier > demand.most) break;
    auto record = NextOf(held, demand.least_records);
    if (record) return record;
  }
  return std::nullopt;
}

std::optional<Record> Backlog::NextOf(const SpooledStream& held, std::size_t least_records) {
  Stream& stream = At(held.key);
  while (const auto range = stream.progress.Next(held.first, held.last)) {
    // Only summaries are packed; of anything else more than one record would be read in vain.
    const bool is_packed = held.key.tier != Tier::kEvents && range->first >= stream.singly_until;
    const std::size_t most = is_packed ? kBatch.records : 1;
    if (is_packed && range->end() > held.last && range->count < least_records) break;
    const auto records = ReadRange(held.key, *range, most);
    // Neither here nor skipped: not readable just now.
    if (records.empty() && stream.progress.Next(held.first, held.last) == range) break;
    if (records.empty()) continue;
    const Packed packed = Pack(records, most);
    const bool is_all = packed.used == records.size() && records.back().seqs.end() > held.last;
    if (is_all && is_packed && packed.used < least_records) break;
    return packed.record;
  }
  return std::nullopt;
}

// The records of `range` that the spool still holds; what it no longer holds before them is
// skipped.
std::vector<Record> Backlog::ReadRange(const StreamKey& key, SeqRange range, std::size_t most) {
  auto read = source_.Read(key, range.first, {most, kBatch.bytes});
  if (!read.ok()) {
    ++counters_.read_failures;
    return {};
  }
  std::vector<Record> records = *std::move(read);
  if (records.empty()) return records;
  const Seq first = std::min(records.front().seqs.first, range.end());
  if (first > range.first) {
    At(key).progress.Skip({range.first, first - range.first});
    counters_.skipped += first - range.first;
  }
  std::erase_if(records, [&](const Record& record) { return record.seqs.end() > range.end(); });
  return records;
}

void Backlog::Depart(const Record& record) {
  At(record.stream).progress.Depart(record.seqs);
  in_flight_.push_back({record.stream, record.seqs, record.payload.size(), GapIn(record)});
  bytes_in_flight_ += record.payload.size();
}

void Backlog::Begin(const Committed& committed) {
  const auto held = std::find_if(held_.begin(), held_.end(), [&](const SpooledStream& stream) {
    return stream.key == committed.stream;
  });
  if (held == held_.end()) return;  // nothing of it is left to send
  StreamProgress& progress = At(committed.stream).progress;
  const Seq known = progress.through();
  progress.Begin(committed.ranges, held->first, kMaxRanges);
  if (progress.through() < known) ++counters_.forgotten_streams;
  WriteLedger(committed.stream);
}

void Backlog::Acknowledge(const Committed& committed) {
  Stream& stream = At(committed.stream);
  stream.progress.Account(committed.ranges);
  const auto landed =
      std::stable_partition(in_flight_.begin(), in_flight_.end(), [&](const Sent& sent) {
        return sent.stream != committed.stream || !committed.ranges.Contains(sent.seqs);
      });
  const std::vector<Sent> answered(std::make_move_iterator(landed),
                                   std::make_move_iterator(in_flight_.end()));
  in_flight_.erase(landed, in_flight_.end());
  for (const Sent& sent : answered) {
    Land(sent);
    counters_.acknowledged += sent.seqs.count;
    if (!sent.gap) continue;
    At(sent.gap->stream).progress.Account(sent.gap->seqs);
    WriteLedger(sent.gap->stream);
  }
  WriteLedger(committed.stream);
}

void Backlog::Land(const Sent& sent) {
  bytes_in_flight_ -= sent.bytes;
  At(sent.stream).progress.Return(sent.seqs);
}

bool Backlog::Refuse(const StreamKey& key, SeqRange seqs, const Status& why,
                     const Committed& committed) {
  ++counters_.refused_batches;
  const auto sent = std::find_if(in_flight_.begin(), in_flight_.end(), [&](const Sent& one) {
    return one.stream == key && one.seqs == seqs;
  });
  if (sent != in_flight_.end()) {
    Land(*sent);
    in_flight_.erase(sent);
  }
  Stream& stream = At(key);
  stream.progress.Account(committed.ranges);
  const bool is_told_why = committed.ranges.Overlaps(seqs);
  WriteLedger(key);
  if (why.code() == Code::kExists && is_told_why) return true;
  if (why.code() != Code::kExists && !IsForGood(why.code())) return false;
  // An overlap with nothing that is named is treated like the rest: one by one, then given up.
  if (seqs.count > 1) {
    stream.singly_until = std::max(stream.singly_until, seqs.end());
  } else {
    GiveUp(key, seqs, why);
  }
  return true;
}

void Backlog::GiveUp(const StreamKey& key, SeqRange seqs, const Status& why) {
  ++counters_.given_up;
  At(key).progress.Account(seqs);
  WriteLedger(key);
  if (said_.size() < kMaxSaid && said_.emplace(key, why.code()).second) {
    Log(LogLevel::kError,
        fmt::format("the server will never take record {} of tier {} of boot {}, so it is given "
                    "up (more of this kind are only counted): {}",
                    Number(seqs.first), static_cast<int>(key.tier), key.boot.ToString(),
                    why.message()));
  }
}

void Backlog::WriteLedger(const StreamKey& key) {
  const Seq through = At(key).progress.through();
  if (through == Seq{0}) return;
  if (!source_.Acknowledge(key, through).ok()) ++counters_.ledger_failures;
}

void Backlog::Recall() {
  in_flight_.clear();
  bytes_in_flight_ = 0;
  for (auto& [key, stream] : streams_) {
    stream.progress.ReturnAll();
  }
}

}  // namespace tacho
