// Headers are read at every look, frames only where something is new.
#include "daemon/spool/spool_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

#include "daemon/spool/damage.h"
#include "daemon/spool/segment_pool.h"

namespace tacho {
namespace {

// More damage than this is not told one by one.
constexpr std::size_t kMaxWarnings = 64;
constexpr std::uint64_t kAboutHeader = 0;

// Newest boot first; then the epoch begun last.
auto SendingOrder(const SpooledStream& stream, std::uint64_t newest_ordinal) {
  return std::tuple(stream.key.tier, ~stream.boot_counter, ~newest_ordinal);
}

}  // namespace

SpoolReader::SpoolReader(std::filesystem::path folder, Disk& disk)
    : folder_(std::move(folder)), disk_(disk) {}

Status SpoolReader::Refresh() {
  complete_to_ = newest_seen_;
  TACHO_TRY(Look());
  if (newest_seen_ == complete_to_) return {};
  complete_to_ = newest_seen_;
  return Look();
}

Status SpoolReader::Look() {
  auto names = disk_.List(folder_);
  if (!names.ok()) return std::move(names).status().Under("spool");
  const StreamMap known = std::exchange(streams_, {});
  for (const std::string& name : *names) {
    if (IsSegmentName(name)) LoadSegment(name, known);
  }
  SealOlder();
  return {};
}

void SpoolReader::LoadSegment(const std::string& name, const StreamMap& known) {
  auto file = disk_.Open(folder_ / name, Disk::Access::kRead);
  if (!file.ok()) {
    // One that vanished since the listing was trimmed away.
    if (file.error()->code() != Code::kNotFound) Warn(name, kAboutHeader, file.error()->message());
    return;
  }
  const auto parsed = ReadHeader(**file);
  if (!parsed.ok()) return Warn(name, kAboutHeader, parsed.error()->message());
  const SegmentHeader& header = parsed->header;
  const auto bytes = (*file)->Size();
  if (!bytes.ok()) return Warn(name, kAboutHeader, bytes.error()->message());
  if (auto complaint = ComplaintOf(folder_ / name, parsed->state, header, *bytes)) {
    Warn(name, kAboutHeader, *std::move(complaint));
  }
  if (parsed->state != HeaderState::kUsed) return;
  newest_seen_ = std::max(newest_seen_, header.ordinal);
  if (header.ordinal > complete_to_) return;
  ReaderSegment segment(name, header);
  if (const auto stream = known.find(header.stream); stream != known.end()) {
    const auto it = stream->second.find(header.ordinal);
    if (it != stream->second.end() && it->second.header() == header) segment = it->second;
  }
  const auto [it, is_new] = streams_[header.stream].try_emplace(header.ordinal, segment);
  if (!is_new) {
    Warn(name, kAboutHeader,
         fmt::format("{}: it is a copy of {}; it is passed over", (folder_ / name).string(),
                     it->second.name()));
  }
}

// The writer appends to one segment a tier: all but the newest are finished.
void SpoolReader::SealOlder() {
  std::map<Tier, std::uint64_t> newest;
  for (const auto& [key, segments] : streams_) {
    std::uint64_t& ordinal = newest[key.tier];
    ordinal = std::max(ordinal, segments.rbegin()->first);
  }
  for (auto& [key, segments] : streams_) {
    for (auto& [ordinal, segment] : segments) {
      if (ordinal < newest[key.tier]) segment.Seal();
    }
  }
}

void SpoolReader::FollowEnd(ReaderSegment& segment) {
  auto file = disk_.Open(folder_ / segment.name(), Disk::Access::kRead);
  if (!file.ok()) return;  // the next Refresh tells why
  const Status followed = segment.FollowEnd(**file);
  // Recycled meanwhile is no failure.
  if (!followed.ok() && followed.code() != Code::kNotFound) {
    Warn(segment.name(), kAboutHeader, followed.message());
  }
  WarnOfDamage(segment);
}

std::vector<SpooledStream> SpoolReader::Streams() {
  std::vector<std::pair<std::uint64_t, SpooledStream>> found;
  for (auto& [key, segments] : streams_) {
    auto& [newest_ordinal, newest] = *segments.rbegin();
    Seq last{};
    // The newest segment may have been begun and hold nothing yet.
    for (auto it = segments.rbegin(); it != segments.rend(); ++it) {
      FollowEnd(it->second);
      last = std::max(last, it->second.last());
      if (it->second.last() >= it->second.header().first) break;
    }
    const Seq first = segments.begin()->second.header().first;
    if (last < first) continue;
    found.emplace_back(newest_ordinal,
                       SpooledStream{key, newest.header().boot_counter, first, last});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return SendingOrder(a.second, a.first) < SendingOrder(b.second, b.first);
  });
  std::vector<SpooledStream> streams;
  streams.reserve(found.size());
  for (auto& [ordinal, stream] : found) {
    streams.push_back(stream);
  }
  return streams;
}

std::vector<Record> SpoolReader::Read(const StreamKey& stream, Seq after, std::size_t max_bytes,
                                      std::size_t max_records) {
  std::vector<Record> records;
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return records;
  Segments& segments = found->second;
  // The newest segment that begins at or below the next record has it, since a segment that
  // repeats seqs after a failure repeats all of them.
  auto it = segments.begin();
  for (auto later = it; later != segments.end(); ++later) {
    if (later->second.header().first <= after + 1) it = later;
  }
  ReadWindow window{after, {}, max_bytes, max_records};
  for (; it != segments.end(); ++it) {
    const auto next = std::next(it);
    window.before = next == segments.end() ? Seq{UINT64_MAX} : next->second.header().first;
    if (!ReadSegment(it->second, window, records)) break;
  }
  return records;
}

bool SpoolReader::ReadSegment(ReaderSegment& segment, ReadWindow& window,
                              std::vector<Record>& records) {
  auto file = disk_.Open(folder_ / segment.name(), Disk::Access::kRead);
  if (!file.ok()) return records.empty();  // trimmed away: a hole, if nothing was read yet
  const auto reached_end = segment.Read(**file, window, records);
  WarnOfDamage(segment);
  if (reached_end.ok()) return *reached_end;
  if (reached_end.error()->code() == Code::kNotFound) return records.empty();
  Warn(segment.name(), kAboutHeader, reached_end.error()->message());
  return records.empty();
}

void SpoolReader::WarnOfDamage(ReaderSegment& segment) {
  for (const FrameDamage& damage : segment.TakeDamage()) {
    Warn(segment.name(), segment.header().id + damage.offset,
         SentenceOf(folder_ / segment.name(), damage));
  }
}

void SpoolReader::Warn(const std::string& name, std::uint64_t what, std::string sentence) {
  if (warned_.size() >= kMaxWarnings || !warned_.emplace(name, what).second) return;
  warnings_.push_back(std::move(sentence));
}

std::vector<std::string> SpoolReader::TakeWarnings() {
  return std::exchange(warnings_, {});
}

}  // namespace tacho
