// Prints what a value costs in bytes and nanoseconds, beside plain 64-bit integers through zstd.
#include <algorithm>
#include <cstdio>
#include <string>
#include <time.h>

#include "common/bytes.h"
#include "common/codec/block.h"
#include "common/codec/packing.h"
#include "tests/support/block_maker.h"

namespace tacho {
namespace {

constexpr std::uint64_t kSeed = 20260101;
constexpr std::size_t kChunkRows = 1000;

void Print(const std::string& name, double value, const char* unit) {
  std::printf("path.codec_%s\t%.3f\t%s\n", name.c_str(), value, unit);
}

double CellsOf(const std::vector<Block>& blocks) {
  return static_cast<double>(blocks[0].rows() * blocks[0].columns.size());
}

// Mean over several batches, since one short batch says little.
double BytesPerValue(std::size_t ticks) {
  constexpr int kBatches = 20;
  double bytes = 0;
  double cells = 0;
  for (std::uint64_t i = 0; i < kBatches; ++i) {
    const std::vector<Block> batch = {RobotMaker(kSeed + i).Make(ticks)};
    bytes += static_cast<double>(EncodeBlocks(batch, Packing::kZstd).size());
    cells += CellsOf(batch);
  }
  return bytes / cells;
}

// The peer: each column's integers as they lie in memory, all of it through zstd -3.
double PeerBytesPerValue(const std::vector<Block>& blocks) {
  Bytes raw;
  for (const Column& column : blocks[0].columns) {
    const auto bytes = std::as_bytes(std::span(column.values));
    raw.insert(raw.end(), bytes.begin(), bytes.end());
  }
  const auto packed = Pack(raw, 3);
  return static_cast<double>(packed ? packed->size() : raw.size()) / CellsOf(blocks);
}

// CPU time of this process: the machine may be busy with other work.
double CpuNanos() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// Median of several runs, each long enough for the clock.
template <class F>
double NanosPerValue(double cells, F work) {
  constexpr int kRuns = 15;
  constexpr int kTurns = 5;
  std::vector<double> nanos;
  for (int run = 0; run < kRuns; ++run) {
    const double start = CpuNanos();
    for (int turn = 0; turn < kTurns; ++turn) {
      work();
    }
    nanos.push_back((CpuNanos() - start) / kTurns / cells);
  }
  std::nth_element(nanos.begin(), nanos.begin() + kRuns / 2, nanos.end());
  return nanos[kRuns / 2];
}

int Main() {
  for (const std::size_t ticks : {10u, 30u, 60u, 1000u}) {
    Print("bytes_per_value_" + std::to_string(ticks) + "_ticks", BytesPerValue(ticks), "B");
  }
  const std::vector<Block> chunk = {RobotMaker(kSeed).Make(kChunkRows)};
  const Bytes bytes = EncodeBlocks(chunk, Packing::kZstd);
  std::size_t sink = 0;
  const double encode =
      NanosPerValue(CellsOf(chunk), [&] { sink += EncodeBlocks(chunk, Packing::kZstd).size(); });
  const double decode = NanosPerValue(CellsOf(chunk), [&] { sink += DecodeBlocks(bytes)->size(); });
  Print("encode_ns_per_value", encode, "ns");
  Print("decode_ns_per_value", decode, "ns");
  Print("peer_zstd3_bytes_per_value", PeerBytesPerValue(chunk), "B");
  return sink > 0 ? 0 : 1;
}

}  // namespace
}  // namespace tacho

int main() {
  return tacho::Main();
}
