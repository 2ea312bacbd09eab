// Any bytes as a spool's files: the reader gives only records that were written there, and a writer
// starts on them.
#include <cstdint>
#include <cstdlib>

#include "common/bytes.h"
#include "daemon/spool/segment_format.h"
#include "daemon/spool/spool_reader.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"

namespace tacho {
namespace {

constexpr std::size_t kSegmentBytes = 4096;
constexpr std::size_t kMaxRead = 100;

void Require(bool holds) {
  if (!holds) std::abort();
}

SpoolConfig Config() {
  SpoolConfig config;
  config.folder = "/spool";
  config.segment_bytes = kSegmentBytes;
  config.max_bytes = 8 * kSegmentBytes;
  return config;
}

SegmentHeader Header() {
  SegmentHeader header;
  header.id = 0x1234567;
  header.ordinal = 1;
  header.stream.tier = Tier::kEvents;
  header.first = Seq{1};
  header.segment_bytes = kSegmentBytes;
  return header;
}

// Frames whose payloads are slices of the input.
Bytes WholeSegment(std::span<const std::byte> input) {
  Bytes file = EncodeHeader(Header());
  for (std::uint64_t seq = 1; !input.empty(); ++seq) {
    const std::size_t size = std::min<std::size_t>(input.size(), 1 + seq * 7 % 50);
    const Bytes frame =
        EncodeFrame(Header(), file.size(), {Seq{seq}, RecordKind::kEvent, {}, input.first(size)});
    input = input.subspan(size);
    if (file.size() + frame.size() > kSegmentBytes) break;
    file.insert(file.end(), frame.begin(), frame.end());
  }
  file.resize(kSegmentBytes);
  return file;
}

// Reads everything, and then the same again.
void ReadAll(Disk& disk) {
  SpoolReader reader("/spool", disk);
  for (int round = 0; round < 2; ++round) {
    Require(reader.Refresh().ok());
    for (const SpooledStream& stream : reader.Streams()) {
      Seq after{};
      while (true) {
        const auto read = reader.Read(stream.key, after, kMaxRead);
        if (read.empty()) break;
        for (const Record& record : read) {
          Require(record.seqs.first > after && record.stream == stream.key);
          after = record.seqs.first;
        }
      }
    }
  }
}

void StartOn(Disk& disk) {
  std::uint64_t random = 1;
  auto writer = SpoolWriter::Open(Config(), disk, {}, [&] { return ++random; }, {});
  for (int i = 0; i < 100; ++i) {
    const auto seq = writer->Append(Tier::kSummaries, RecordKind::kSummary, {}, Bytes(400), {});
    Require(seq.ok());
  }
  Require(writer->Sync({}).ok());
  // ignored since any count is right
  (void)writer->CountUnacknowledged();
}

void Overwrite(Bytes& file, std::span<const std::byte> patches) {
  for (; patches.size() >= 3; patches = patches.subspan(3)) {
    const auto at =
        static_cast<std::size_t>(patches[0]) | (static_cast<std::size_t>(patches[1]) << 8);
    file[at % file.size()] = patches[2];
  }
}

}  // namespace
}  // namespace tacho

// The first byte tells how the rest is used: as a file, or as the payloads of a whole segment and
// what is then overwritten in it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const auto input = std::as_bytes(std::span(data, size)).subspan(1);
  const std::size_t half = input.size() / 2;
  tacho::FaultyDisk disk;
  switch (data[0] % 3) {
    case 0:
      disk.Put("/spool/segment-00000", {input.begin(), input.end()});
      break;
    case 1:
      disk.Put("/spool/ledger", {input.begin(), input.end()});
      disk.Put("/spool/boot", {input.begin(), input.end()});
      break;
    default:
      tacho::Bytes file = tacho::WholeSegment(input.first(half));
      tacho::Overwrite(file, input.subspan(half));
      disk.Put("/spool/segment-00000", file);
  }
  tacho::ReadAll(disk);
  tacho::StartOn(disk);
  return 0;
}
