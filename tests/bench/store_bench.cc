// What the store costs: bytes on disk per value, values taken in per second of CPU, and how that
// compares with a row per value.
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "server/ingest.h"
#include "server/rollup_book.h"
#include "server/store/database.h"
#include "server/store/sqlite_run_store.h"
#include "server/timeline.h"
#include "tests/support/block_maker.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_robot_stream.h"
#include "tests/support/made_records.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

constexpr std::size_t kChannels = 60;
constexpr std::size_t kRowsPerBatch = 30;
constexpr std::size_t kTwoHours = 7200;
constexpr std::size_t kManyRows = 43200;  // for the figures of speed
constexpr WallTime kNow = WallTimeOf(1'800'000'000'000'000'000);

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void Print(const char* name, double value, const char* unit) {
  std::printf("%s\t%.6g\t%s\n", name, value, unit);
}

[[noreturn]] void Give(const Status& why) {
  std::fprintf(stderr, "store_bench: %s\n", why.message().c_str());
  std::exit(1);
}

Dictionary SixtyChannels() {
  Dictionary dictionary;
  dictionary.groups = {{GroupId{0}, "board", std::chrono::seconds(1)}};
  for (std::uint32_t i = 0; i < kChannels; ++i) {
    dictionary.channels.push_back({ChannelId{i}, GroupId{0}, "channel", std::to_string(i),
                                   Unit::kNone, 0, Shape::kGauge, ""});
  }
  return dictionary;
}

Block Slice(const Block& all, std::size_t from, std::size_t count) {
  const auto cut = [&](const auto& values) {
    const auto start = values.begin() + static_cast<std::ptrdiff_t>(from);
    return std::decay_t<decltype(values)>(start, start + static_cast<std::ptrdiff_t>(count));
  };
  Block slice;
  slice.group = all.group;
  slice.times = cut(all.times);
  for (const Column& column : all.columns) {
    slice.columns.push_back({column.channel, column.stat, cut(column.values), cut(column.why)});
  }
  return slice;
}

std::vector<Record> BatchesOf(MadeBoot& boot, const Block& all) {
  std::vector<Record> records = {boot.DictionaryRecord(), boot.Opened(1, "mission", At(0))};
  for (std::size_t row = 0; row < all.rows(); row += kRowsPerBatch) {
    const std::size_t count = std::min(kRowsPerBatch, all.rows() - row);
    records.push_back(boot.Summary(Slice(all, row, count), count));
  }
  return records;
}

std::uintmax_t BytesIn(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    bytes += entry.file_size();
  return bytes;
}

// A server without a network.
class Bench {
 public:
  explicit Bench(const std::filesystem::path& folder) {
    clock_.SetWall(kNow);
    auto store = SqliteRunStore::Open({.folder = folder, .compaction = {}}, kNow);
    if (!store.ok()) Give(*store.error());
    store_ = *std::move(store);
    writer_ = std::make_unique<StoreWriter>(*store_, clock_, WriterConfig{});
    IngestConfig config;
    config.bytes_per_second = 1e12;
    config.burst_bytes = 1e12;
    ingest_ = std::make_unique<Ingest>(clock_, *store_, *writer_, presence_, config);
    stream_ = std::make_shared<FakeRobotStream>();
  }
  ~Bench() { writer_->Stop(); }

  void Take(const MadeBoot& boot, const std::vector<Record>& records, bool compacts) {
    Hello hello;
    hello.robot = "rb12";
    hello.boot = boot.id();
    ingest_->OnHello(stream_, hello, "");
    std::size_t taken = 0;
    for (const Record& record : records) {
      ingest_->OnRecord(*stream_, record);
      if (compacts && ++taken % 40 == 0) Compact();
    }
    if (compacts) Compact();
    Settle();
    if (!stream_->refusals().empty()) Give(stream_->refusals()[0].why);
  }
  void Summarise(const MadeBoot& boot) {
    RunSpan run;
    run.row.key = {{"rb12", boot.id()}, 1};
    run.to = BootTime::max();
    RollupBook rollups(*store_);
    const auto rollup = rollups.Of(run);
    if (!rollup.ok()) Give(*rollup.error());
    if ((*rollup)->series.size() != kChannels) Give({Code::kInternal, "series are missing"});
  }
  void Compact() {
    writer_->Post([](RunWriter& store) {
      for (bool more = true; more;) {
        const auto did = store.CompactSome(kNow);
        if (!did.ok()) Give(*did.error());
        more = *did;
      }
    });
  }
  void Settle() {
    std::promise<void> done;
    writer_->Post([&](RunWriter&) { done.set_value(); });
    done.get_future().wait();
  }

 private:
  FakeClock clock_;
  Presence presence_;
  std::unique_ptr<SqliteRunStore> store_;
  std::unique_ptr<StoreWriter> writer_;
  std::unique_ptr<Ingest> ingest_;
  std::shared_ptr<FakeRobotStream> stream_;
};

// Files grow with the data and have a fixed cost of empty tables, which is left out.
double BytesPerValue() {
  TempFolder folder;
  TempFolder empty;
  MadeBoot boot(1, SixtyChannels());
  { Bench bench(empty.path()); }
  {
    Bench bench(folder.path());
    bench.Take(boot, BatchesOf(boot, RobotMaker(1).Make(kTwoHours)), true);
  }
  return static_cast<double>(BytesIn(folder.path()) - BytesIn(empty.path())) /
         static_cast<double>(kChannels * kTwoHours);
}

struct Speed {
  double ingest = 0;
  double compaction = 0;
};

Speed ValuesPerCpuSecond(const Block& all) {
  TempFolder folder;
  MadeBoot boot(1, SixtyChannels());
  const std::vector<Record> records = BatchesOf(boot, all);
  Bench bench(folder.path());
  const double values = static_cast<double>(kChannels * all.rows());
  const double start = CpuSeconds();
  bench.Take(boot, records, false);
  bench.Summarise(boot);
  const double taken = CpuSeconds();
  bench.Compact();
  bench.Settle();
  return {values / (taken - start), values / (CpuSeconds() - taken)};
}

// The peer: a row per value, prepared, 10,000 rows a transaction, synchronous as ours.
double RowsPerCpuSecond(const Block& all) {
  TempFolder folder;
  auto database = Database::Open(folder.path() / "rows.db", {});
  if (!database.ok()) Give(*database.error());
  Status made = database->Execute(
      "CREATE TABLE samples (series INTEGER, at INTEGER, value INTEGER,"
      " PRIMARY KEY (series, at)) STRICT, WITHOUT ROWID;");
  if (!made.ok()) Give(made);
  auto insert = database->Prepare("INSERT INTO samples VALUES (?, ?, ?)");
  if (!insert.ok()) Give(*insert.error());
  std::size_t rows = 0;
  const double start = CpuSeconds();
  std::unique_ptr<Transaction> transaction;
  for (std::size_t row = 0; row < all.rows(); ++row) {
    for (std::size_t c = 0; c < kChannels; ++c, ++rows) {
      if (rows % 10000 == 0) {
        if (transaction && !transaction->Commit().ok()) Give({Code::kInternal, "commit"});
        transaction = std::make_unique<Transaction>(*database);
        if (!transaction->Begin().ok()) Give({Code::kInternal, "begin"});
      }
      const Status done = (*insert)
                              ->Bind(1, static_cast<std::int64_t>(c))
                              .Bind(2, Count(all.times[row]))
                              .Bind(3, all.columns[c].values[row])
                              .Run();
      if (!done.ok()) Give(done);
    }
  }
  if (transaction && !transaction->Commit().ok()) Give({Code::kInternal, "commit"});
  return static_cast<double>(rows) / (CpuSeconds() - start);
}

void Run() {
  Print("path.store_bytes_per_value", BytesPerValue(), "B");
  const Block all = RobotMaker(2).Make(kManyRows);
  const Speed speed = ValuesPerCpuSecond(all);
  Print("path.ingest_values_per_cpu_s", speed.ingest, "1/s");
  Print("path.compaction_values_per_cpu_s", speed.compaction, "1/s");
  Print("path.ingest_vs_row_loop_ratio", speed.ingest / RowsPerCpuSecond(all), "x");
}

}  // namespace
}  // namespace tacho

int main() {
  tacho::Run();
}
