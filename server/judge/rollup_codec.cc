// The bytes of a rollup (docs/formats/store.md, "rollup").
#include <cstdint>
#include <string>

#include "common/bytes.h"
#include "server/judge/rollup.h"

namespace tacho {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kHasFolds = 1;
constexpr std::uint8_t kSpreadUnknown = 2;
constexpr std::size_t kTextLimit = 256;

void PutWide(ByteWriter& out, UInt128 value) {
  out.U64(static_cast<std::uint64_t>(value));
  out.U64(static_cast<std::uint64_t>(value >> 64));
}
UInt128 GetWide(ByteReader& in) {
  const UInt128 low = in.U64();
  const UInt128 high = in.U64();
  return (high << 64) | low;
}

void PutSeries(ByteWriter& out, const SeriesKey& key, const SeriesRollup& series) {
  out.Text(key.metric);
  out.Text(key.instance);
  out.U8(static_cast<std::uint8_t>(key.unit));
  out.Signed(key.decimals);
  out.U8(static_cast<std::uint8_t>(key.shape));
  out.U8(static_cast<std::uint8_t>((series.has_folds ? kHasFolds : 0) |
                                   (series.is_spread_unknown ? kSpreadUnknown : 0)));
  out.Varint(series.present);
  for (std::size_t why = 1; why < series.absent.size(); ++why)
    out.Varint(series.absent[why]);
  PutWide(out, static_cast<UInt128>(series.sum));
  PutWide(out, series.squares);
  out.Signed(series.min);
  out.Signed(series.max);
  out.Signed(series.last);
  out.Signed(Count(series.first_at));
  out.Signed(Count(series.last_at));
  const auto histogram = series.histogram.Encode();
  out.Varint(histogram.size());
  out.Raw(histogram);
}

Status GetSeries(ByteReader& in, RunRollup& rollup) {
  SeriesKey key;
  key.metric = in.Text(kTextLimit);
  key.instance = in.Text(kTextLimit);
  key.unit = static_cast<Unit>(in.U8());
  key.decimals = static_cast<int>(in.Signed());
  key.shape = static_cast<Shape>(in.U8());
  SeriesRollup series;
  const std::uint8_t flags = in.U8();
  series.has_folds = (flags & kHasFolds) != 0;
  series.is_spread_unknown = (flags & kSpreadUnknown) != 0;
  series.present = in.Varint();
  for (std::size_t why = 1; why < series.absent.size(); ++why)
    series.absent[why] = in.Varint();
  series.sum = static_cast<Int128>(GetWide(in));
  series.squares = GetWide(in);
  series.min = in.Signed();
  series.max = in.Signed();
  series.last = in.Signed();
  series.first_at = BootTimeOf(in.Signed());
  series.last_at = BootTimeOf(in.Signed());
  const auto bytes = in.Raw(static_cast<std::size_t>(in.Varint()));
  if (!in.ok()) return {Code::kCorrupt, "a saved rollup ends early"};
  auto histogram = Histogram::Decode(bytes);
  if (!histogram.ok()) return std::move(histogram).status();
  series.histogram = *std::move(histogram);
  rollup.series.emplace(std::move(key), std::move(series));
  return {};
}

}  // namespace

std::vector<std::byte> Encode(const RunRollup& rollup) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.U8(kVersion);
  out.Signed(Count(rollup.from));
  out.Signed(Count(rollup.to));
  out.Varint(rollup.folded.size());
  for (const auto& [stream, seqs] : rollup.folded) {
    out.U64(Number(stream.first));
    out.U8(static_cast<std::uint8_t>(stream.second));
    const auto ranges = seqs.list();
    out.Varint(ranges.size());
    for (const SeqRange& range : ranges) {
      out.Varint(Number(range.first));
      out.Varint(range.count);
    }
  }
  out.Varint(rollup.dictionaries.size());
  for (const auto& [hash, span] : rollup.dictionaries) {
    out.U64(static_cast<std::uint64_t>(hash));
    out.Signed(Count(span.first));
    out.Signed(Count(span.last));
  }
  out.Varint(rollup.series.size());
  for (const auto& [key, series] : rollup.series)
    PutSeries(out, key, series);
  return bytes;
}

Result<RunRollup> DecodeRollup(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  RunRollup rollup;
  if (in.U8() != kVersion) return Status(Code::kUnsupported, "a saved rollup of another version");
  rollup.from = BootTimeOf(in.Signed());
  rollup.to = BootTimeOf(in.Signed());
  for (std::uint64_t left = in.Varint(); left > 0 && in.ok(); --left) {
    const Epoch epoch{in.U64()};
    const Tier tier{in.U8()};
    SeqRanges& seqs = rollup.folded[{epoch, tier}];
    for (std::uint64_t ranges = in.Varint(); ranges > 0 && in.ok(); --ranges) {
      const Seq first{in.Varint()};
      seqs.Add({first, in.Varint()});
    }
  }
  for (std::uint64_t left = in.Varint(); left > 0 && in.ok(); --left) {
    const DictionaryHash hash{in.U64()};
    const BootTime first = BootTimeOf(in.Signed());
    rollup.dictionaries[hash] = {first, BootTimeOf(in.Signed())};
  }
  for (std::uint64_t left = in.Varint(); left > 0 && in.ok(); --left) {
    TACHO_TRY(GetSeries(in, rollup));
  }
  if (!in.ok() || in.left() > 0) return Status(Code::kCorrupt, "a saved rollup is damaged");
  return rollup;
}

}  // namespace tacho
