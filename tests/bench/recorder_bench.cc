// Prints what a sweep over a fixture board costs, and what a sample costs up to its summary.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <time.h>
#include <vector>

#include "daemon/recorder/channels.h"
#include "daemon/recorder/flight_ring.h"
#include "daemon/recorder/row_assembler.h"
#include "daemon/recorder/sampler.h"
#include "daemon/recorder/summaries.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr const char* kBoard = TACHO_SOURCE_DIR "/tests/boards/orin-agx-sysfs";
constexpr int kSweeps = 2000;

// CPU time of this process: the machine may be busy with other work.
double CpuNanos() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<std::unique_ptr<SourceSlot>> OpenAll(Channels& channels, GroupId group) {
  std::vector<std::unique_ptr<SourceSlot>> slots;
  for (const SourceKind* kind : AllSourceKinds()) {
    auto source = kind->open({kBoard}, channels.BookOf(group));
    if (!source.ok()) continue;
    slots.push_back(
        std::make_unique<SourceSlot>(std::string(kind->name), group, 1s, *std::move(source)));
  }
  return slots;
}

int Main() {
  Channels channels;
  const GroupId group = channels.AddGroup("board", 1s);
  const auto slots = OpenAll(channels, group);
  ReadingRing ring(1 << 14);
  Sampler sampler(slots, ring);
  RowAssembler assembler;
  Summaries summaries;
  Status why;
  const auto flight = FlightRing::Open({.file = "", .bytes = 1 << 20}, {}, why);
  std::size_t cells = 0;
  const auto take = [&](const Row& row) {
    cells += row.cells.size();
    flight->Write(row, {});
    summaries.Add(row);
  };
  std::vector<double> sweeps;
  std::vector<double> wholes;
  std::size_t bytes = 0;
  for (int i = 1; i <= kSweeps; ++i) {
    const BootTime at(std::chrono::seconds{i});
    const double start = CpuNanos();
    if (!sampler.Sweep(at)) return 1;
    sweeps.push_back(CpuNanos() - start);
    Reading reading;
    while (ring.TryPop(reading))
      assembler.Add(reading, take);
    bytes += EncodeBlocks(summaries.Take(), Packing::kNone).size();
    wholes.push_back(CpuNanos() - start);
  }
  const double per_sweep = static_cast<double>(cells) / kSweeps;
  std::printf("board.sweep_us\t%.1f\tus\n", Median(sweeps) / 1e3);
  std::printf("board.sweep_channels\t%.0f\tcount\n", per_sweep);
  std::printf("board.ns_per_sample\t%.0f\tns\n", Median(wholes) / per_sweep);
  std::printf("board.summary_bytes\t%.0f\tB\n", static_cast<double>(bytes) / kSweeps);
  return 0;
}

}  // namespace
}  // namespace tacho

int main() {
  return tacho::Main();
}
