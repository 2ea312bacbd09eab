// Prints what a record costs on its way to the disk, and how long a recorder waits for its spool.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <time.h>
#include <vector>

#include "daemon/spool/posix_disk.h"
#include "daemon/spool/spool_writer.h"
#include "tests/support/faulty_disk.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

// One second of about 100 series.
constexpr std::size_t kRecordBytes = 300;
constexpr int kSecondsADay = 86400;
constexpr int kSyncEvery = 5;

void Print(const char* name, double value, const char* unit) {
  std::printf("spool.%s\t%.3f\t%s\n", name, value, unit);
}

SpoolConfig Config(const std::filesystem::path& folder) {
  SpoolConfig config;
  config.folder = folder;
  return config;
}

class Recorder {
 public:
  Recorder(const std::filesystem::path& folder, Disk& disk)
      : writer_(SpoolWriter::Open(Config(folder), disk, {}, [this] { return ++random_; }, {})) {}

  void Append() {
    const auto seq =
        writer_->Append(Tier::kSummaries, RecordKind::kSummary, DictionaryHash{7}, payload_, {});
    if (!seq.ok() || writer_->is_ram_only()) std::abort();
  }
  void Sync() {
    if (!writer_->Sync({}).ok()) std::abort();
  }

 private:
  std::uint64_t random_ = 0;
  std::vector<std::byte> payload_ = std::vector<std::byte>(kRecordBytes, std::byte{42});
  std::unique_ptr<SpoolWriter> writer_;
};

double Micros(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// CPU time: what the disk makes a sync wait for is not the recorder's.
void MeasureAppend() {
  const TempFolder folder;
  PosixDisk disk;
  Recorder recorder(folder.path(), disk);
  recorder.Append();
  constexpr int kAppends = 3000;
  std::vector<double> runs;
  for (int run = 0; run < 15; ++run) {
    const double before = Micros(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < kAppends; ++i) {
      recorder.Append();
    }
    runs.push_back((Micros(CLOCK_PROCESS_CPUTIME_ID) - before) / kAppends);
    recorder.Sync();
  }
  std::nth_element(runs.begin(), runs.begin() + 7, runs.end());
  Print("append_us", runs[7], "us");
}

// A spool of the default size that has gone round once, opened by the next recorder of the boot.
void MeasureStart() {
  const TempFolder folder;
  PosixDisk disk;
  {
    Recorder recorder(folder.path(), disk);
    constexpr int kFull = (80 << 20) / static_cast<int>(kRecordBytes);
    for (int i = 0; i < kFull; ++i) {
      recorder.Append();
      if (i % 1000 == 0) recorder.Sync();
    }
  }
  std::vector<double> runs;
  for (int run = 0; run < 9; ++run) {
    const double before = Micros(CLOCK_MONOTONIC);
    const Recorder recorder(folder.path(), disk);
    runs.push_back((Micros(CLOCK_MONOTONIC) - before) / 1000);
  }
  std::nth_element(runs.begin(), runs.begin() + 4, runs.end());
  Print("start_ms_64MiB_full", runs[4], "ms");
}

// Counts the pages that syncs find dirty over a day of records, in a spool that is already full.
void CountFlash() {
  FaultyDisk disk;
  Recorder recorder("/spool", disk);
  std::int64_t before = 0;
  for (int second = -3 * kSecondsADay; second < kSecondsADay; ++second) {
    if (second == 0) before = disk.pages_synced;
    recorder.Append();
    if (second % kSyncEvery == 0) recorder.Sync();
  }
  const auto pages = static_cast<double>(disk.pages_synced - before);
  Print("bytes_written_per_day_5s_sync", pages * static_cast<double>(FaultyDisk::kPage), "B/day");
}

}  // namespace
}  // namespace tacho

int main() {
  tacho::MeasureAppend();
  tacho::MeasureStart();
  tacho::CountFlash();
}
