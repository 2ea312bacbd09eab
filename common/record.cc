// The payloads of the event tier as bytes (docs/formats/records.md).
#include "common/record.h"

#include <algorithm>

#include "common/bytes.h"

namespace tacho {
namespace {

void PutText(ByteWriter& writer, std::string_view text) {
  writer.Text(text.substr(0, kMostRecordText));
}

// The value, or why there is none: bytes after the known fields are a newer writer's.
template <class T>
Result<T> Finish(const ByteReader& reader, bool is_valid, std::string_view what, T value) {
  const std::string where = " at byte " + std::to_string(reader.offset());
  if (!reader.ok()) {
    return Status(Code::kCorrupt,
                  std::string(what) + ": it is cut short or a text is too long" + where);
  }
  if (!is_valid) {
    return Status(Code::kCorrupt, std::string(what) + ": a field is out of range before" + where);
  }
  return value;
}

}  // namespace

std::vector<std::byte> Encode(const BootReport& report) {
  Bytes out;
  ByteWriter writer(out);
  writer.Varint(report.boot_counter);
  PutText(writer, report.agent);
  writer.Signed(Count(report.recorder_started));
  writer.U8(report.previous_ended_clean ? 1 : 0);
  PutText(writer, report.previous_end);
  return out;
}

std::vector<std::byte> Encode(const ClockPair& pair) {
  Bytes out;
  ByteWriter writer(out);
  writer.Signed(Count(pair.boot));
  writer.Signed(Count(pair.wall));
  writer.U8(static_cast<std::uint8_t>(pair.trust));
  return out;
}

std::vector<std::byte> Encode(const RunChange& change) {
  Bytes out;
  ByteWriter writer(out);
  writer.U8(static_cast<std::uint8_t>(change.what));
  writer.Varint(change.number);
  PutText(writer, change.name);
  writer.Signed(Count(change.at));
  PutText(writer, change.reason);
  const std::size_t labels = std::min(change.labels.size(), kMostRunLabels);
  writer.Varint(labels);
  for (std::size_t i = 0; i < labels; ++i) {
    PutText(writer, change.labels[i].first);
    PutText(writer, change.labels[i].second);
  }
  return out;
}

std::vector<std::byte> Encode(const Event& event) {
  Bytes out;
  ByteWriter writer(out);
  writer.Signed(Count(event.at));
  writer.U8(static_cast<std::uint8_t>(event.severity));
  PutText(writer, event.kind);
  PutText(writer, event.detail);
  return out;
}

std::vector<std::byte> Encode(const Gap& gap) {
  Bytes out;
  ByteWriter writer(out);
  writer.Raw(std::as_bytes(std::span(gap.stream.boot.bytes)));
  writer.U64(Number(gap.stream.epoch));
  writer.U8(static_cast<std::uint8_t>(gap.stream.tier));
  writer.Varint(Number(gap.seqs.first));
  writer.Varint(gap.seqs.count);
  PutText(writer, gap.reason);
  return out;
}

Result<BootReport> DecodeBootReport(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  BootReport report;
  report.boot_counter = reader.Varint();
  report.agent = reader.Text(kMostRecordText);
  report.recorder_started = BootTimeOf(reader.Signed());
  const std::uint8_t clean = reader.U8();
  report.previous_ended_clean = clean == 1;
  report.previous_end = reader.Text(kMostRecordText);
  return Finish(reader, clean <= 1, "boot report", std::move(report));
}

Result<ClockPair> DecodeClockPair(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  ClockPair pair;
  pair.boot = BootTimeOf(reader.Signed());
  pair.wall = WallTimeOf(reader.Signed());
  pair.trust = static_cast<ClockTrust>(reader.U8());
  return Finish(reader, pair.trust <= ClockTrust::kGps, "clock pair", pair);
}

Result<RunChange> DecodeRunChange(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  RunChange change;
  change.what = static_cast<RunChange::What>(reader.U8());
  const std::uint64_t number = reader.Varint();
  change.number = static_cast<std::uint32_t>(number);
  change.name = reader.Text(kMostRecordText);
  change.at = BootTimeOf(reader.Signed());
  change.reason = reader.Text(kMostRecordText);
  const std::uint64_t labels = reader.Varint();
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(labels, kMostRunLabels); ++i) {
    std::string key = reader.Text(kMostRecordText);
    std::string value = reader.Text(kMostRecordText);
    if (!reader.ok()) break;
    change.labels.emplace_back(std::move(key), std::move(value));
  }
  const bool is_valid = change.what <= RunChange::What::kClosed && number == change.number &&
                        labels <= kMostRunLabels;
  return Finish(reader, is_valid, "run change", std::move(change));
}

Result<Event> DecodeEvent(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Event event;
  event.at = BootTimeOf(reader.Signed());
  event.severity = static_cast<Severity>(reader.U8());
  event.kind = reader.Text(kMostRecordText);
  event.detail = reader.Text(kMostRecordText);
  const bool is_valid = event.severity <= Severity::kError;
  return Finish(reader, is_valid, "event", std::move(event));
}

Result<Gap> DecodeGap(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Gap gap;
  for (std::uint8_t& byte : gap.stream.boot.bytes) {
    byte = reader.U8();
  }
  gap.stream.epoch = Epoch{reader.U64()};
  const std::uint8_t tier = reader.U8();
  gap.stream.tier = static_cast<Tier>(tier);
  gap.seqs.first = Seq{reader.Varint()};
  gap.seqs.count = reader.Varint();
  gap.reason = reader.Text(kMostRecordText);
  const bool is_valid = tier < kTiers && Number(gap.seqs.first) > 0 && gap.seqs.count > 0 &&
                        gap.seqs.end() > gap.seqs.first;
  return Finish(reader, is_valid, "gap", std::move(gap));
}

}  // namespace tacho
