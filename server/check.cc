#include "server/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace tacho {
namespace {

constexpr std::uint64_t kMostSeqs = 1 << 20;
constexpr std::uint64_t kLastSeq = std::uint64_t{1} << 62;
// 100 years after boot: no uptime, and far from where sums of times overflow.
constexpr Nanos kLongestUptime = std::chrono::hours(24 * 365 * 100);

Status CheckTime(BootTime at, std::string_view of) {
  if (IsUptime(at)) return {};
  return {Code::kInvalid, fmt::format("the time of the {} is no time since boot", of)};
}

Status CheckSeqs(SeqRange seqs, std::uint64_t most) {
  if (seqs.count == 0) return {Code::kInvalid, "the range of seqs is empty"};
  const std::uint64_t first = Number(seqs.first);
  if (first == 0 || first > kLastSeq || seqs.count > kLastSeq - first) {
    return {Code::kInvalid, "the range of seqs lies outside what can be counted"};
  }
  if (seqs.count <= most) return {};
  return {Code::kInvalid, fmt::format("{} seqs in one record, {} allowed", seqs.count, most)};
}

Status CheckBlock(const Block& block, const Dictionary& dictionary) {
  for (const BootTime at : block.times)
    TACHO_TRY(CheckTime(at, "row"));
  for (const Column& column : block.columns) {
    const std::uint32_t id = Number(column.channel);
    if (id >= dictionary.channels.size()) {
      return {Code::kInvalid, fmt::format("channel {} is not in the dictionary", id)};
    }
    if (dictionary.channels[id].group != block.group) {
      return {Code::kInvalid, fmt::format("channel {} is of another group", id)};
    }
  }
  return {};
}

Result<Meaning> CheckSummary(const Record& record, const CheckLimits& limits,
                             const FindDictionary& find) {
  const auto dictionary = find(record.dictionary);
  if (!dictionary) return Status(Code::kNotFound, "dictionary unknown");
  const auto blocks = DecodeBlocks(record.payload, limits.blocks);
  if (!blocks.ok()) return *blocks.error();
  SummaryFacts facts{BootTime::max(), BootTime::min(), 0};
  for (const Block& block : *blocks) {
    TACHO_TRY(CheckBlock(block, *dictionary));
    facts.rows = std::max<std::uint64_t>(facts.rows, block.rows());
    for (const BootTime at : block.times) {
      facts.first = std::min(facts.first, at);
      facts.last = std::max(facts.last, at);
    }
  }
  if (facts.rows == 0) facts = {};
  return Meaning(facts);
}

Result<Meaning> CheckDictionary(const Record& record, const CheckLimits& limits) {
  const auto dictionary = DecodeDictionary(record.payload, limits.dictionary);
  if (!dictionary.ok()) return *dictionary.error();
  return Meaning(DictionaryFacts{HashOf(record.payload)});
}

Result<Meaning> CheckGap(const Record& record) {
  auto gap = DecodeGap(record.payload);
  if (!gap.ok()) return std::move(gap).status();
  TACHO_TRY(CheckSeqs(gap->seqs, kLastSeq));
  if (static_cast<int>(gap->stream.tier) >= kTiers) {
    return Status(Code::kInvalid, "the gap is of a tier that does not exist");
  }
  return Meaning(*std::move(gap));
}

// Decodes one event-tier payload whose moment is `at`.
template <class T>
Result<Meaning> CheckAt(Result<T> decoded, BootTime T::*at, std::string_view what) {
  if (!decoded.ok()) return std::move(decoded).status();
  TACHO_TRY(CheckTime((*decoded).*at, what));
  return Meaning(*std::move(decoded));
}

Result<Meaning> CheckEvent(const Record& record, const CheckLimits& limits) {
  switch (record.kind) {
    case RecordKind::kDictionary:
      return CheckDictionary(record, limits);
    case RecordKind::kBoot:
      return CheckAt(DecodeBootReport(record.payload), &BootReport::recorder_started,
                     "boot report");
    case RecordKind::kClock:
      return CheckAt(DecodeClockPair(record.payload), &ClockPair::boot, "clock pair");
    case RecordKind::kRun:
      return CheckAt(DecodeRunChange(record.payload), &RunChange::at, "run");
    case RecordKind::kEvent:
      return CheckAt(DecodeEvent(record.payload), &Event::at, "event");
    case RecordKind::kGap:
      return CheckGap(record);
    case RecordKind::kSummary:
      return Status(Code::kInvalid, "a summary does not belong into the event tier");
  }
  return Meaning(UnknownFacts{});  // of a newer robot: kept as it came
}

}  // namespace

Result<Meaning> CheckRecord(const Record& record, const CheckLimits& limits,
                            const FindDictionary& find) {
  if (record.payload.size() > limits.record_bytes) {
    return Status(Code::kExhausted, fmt::format("a record of {} bytes, {} allowed",
                                                record.payload.size(), limits.record_bytes));
  }
  if (static_cast<int>(record.stream.tier) >= kTiers) {
    return Status(Code::kInvalid,
                  fmt::format("there is no tier {}", static_cast<int>(record.stream.tier)));
  }
  if (record.stream.tier == Tier::kEvents) {
    TACHO_TRY(CheckSeqs(record.seqs, 1));
    return CheckEvent(record, limits);
  }
  TACHO_TRY(CheckSeqs(record.seqs, kMostSeqs));
  if (record.kind == RecordKind::kSummary) return CheckSummary(record, limits, find);
  return Status(Code::kUnsupported,
                fmt::format("records of kind {} are not taken in tier {}",
                            static_cast<int>(record.kind), static_cast<int>(record.stream.tier)));
}

bool IsUptime(BootTime at) {
  return at >= BootTime{} && at.time_since_epoch() <= kLongestUptime;
}

}  // namespace tacho
