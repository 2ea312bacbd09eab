// Prints how long the command line takes to answer over a store of 1,000 runs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "server/run_book.h"
#include "tests/support/block_maker.h"
#include "tests/support/child_program.h"
#include "tests/support/server_world.h"

namespace tacho {
namespace {

constexpr int kRobots = 10;
constexpr int kRunsEach = 100;
constexpr int kSecondsEach = 60;
constexpr int kDay = 86'400;
constexpr int kCalls = 15;

constexpr const char* kBudgets = R"(
[[budget]]
name = "cool"
metric = "channel_40"
statistic = "p95"
max = "1000000"
[[budget]]
name = "steady"
metric = "channel_50"
statistic = "max"
max = "1"
)";

[[noreturn]] void Give(const std::string& why) {
  std::fprintf(stderr, "query_bench: %s\n", why.c_str());
  std::exit(1);
}

void Print(const char* name, double milliseconds) {
  std::printf("hard.%s\t%.4g\tms\n", name, milliseconds);
}

// The median wall time of one call.
double MedianMs(const std::function<void()>& call) {
  std::vector<double> took;
  for (int i = 0; i < kCalls; ++i) {
    const auto began = std::chrono::steady_clock::now();
    call();
    took.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
            .count());
  }
  std::ranges::sort(took);
  return took[took.size() / 2];
}

// A robot's 60 channels at 1 Hz.
Dictionary SixtyChannels(const Block& block) {
  Dictionary dictionary;
  dictionary.groups = {{GroupId{0}, "board", std::chrono::seconds(1)}};
  for (const Column& column : block.columns) {
    const std::string name = fmt::format("channel_{:02}", Number(column.channel));
    dictionary.channels.push_back(
        {column.channel, GroupId{0}, name, "", Unit::kCount, 0, Shape::kGauge, "One of sixty."});
  }
  dictionary.setup = {{"model", "Orin"}, {"power_mode", "30W"}};
  return dictionary;
}

Block Rows(const Block& all, int from, int count) {
  const auto cut = [&](const auto& values) {
    return std::decay_t<decltype(values)>(values.begin() + from, values.begin() + from + count);
  };
  Block block;
  block.group = all.group;
  block.times = cut(all.times);
  for (const Column& column : all.columns) {
    block.columns.push_back({column.channel, column.stat, cut(column.values), cut(column.why)});
  }
  return block;
}

// One boot of a robot: `runs` missions of `seconds` each, one after the other.
void Fill(ServerWorld& world, const std::string& robot, std::uint8_t seed, int runs, int seconds) {
  const Block all = RobotMaker(seed).Make(static_cast<std::size_t>(runs * seconds));
  MadeBoot boot(seed, SixtyChannels(all));
  const auto stream = world.Call(robot, boot.id(), 1);
  std::vector<Record> records = {boot.Report(1), boot.DictionaryRecord(),
                                 boot.Pair(At(0.5), kTestDay, ClockTrust::kNtp)};
  for (int run = 0; run < runs; ++run) {
    const auto number = static_cast<std::uint32_t>(run + 1);
    const double opened = run * seconds + 0.5;
    records.push_back(boot.Opened(number, "mission", At(opened)));
    for (int at = 0; at < seconds; at += 60) {
      records.push_back(boot.Summary(Rows(all, run * seconds + at, std::min(60, seconds)), 60));
    }
    records.push_back(boot.Closed(number, "mission", At(opened + seconds), "command"));
  }
  world.Send(*stream, records);
}

void Compact(ServerWorld& world) {
  world.OnWriter([](RunWriter& store) {
    for (bool has_more = true; has_more;) {
      const auto did = store.CompactSome(kTestDay);
      if (!did.ok()) Give(did.error()->message());
      has_more = *did;
    }
  });
}

double DayOfOneSeriesMs(ServerWorld& world) {
  const auto run = RunBook(*world.store).Find("day/1/1");
  if (!run.ok()) Give(run.error()->message());
  const SeriesKey key{"channel_40", "", Unit::kCount, 0, Shape::kGauge};
  return MedianMs([&] {
    const auto readings = world.rollups->ReadingsOf(run->span, key);
    if (!readings.ok() || readings->size() != kDay) Give("the day is not whole");
  });
}

// The real programs over a unix socket: from the command's start to its end.
void Ask(const std::filesystem::path& bin, const std::filesystem::path& home) {
  const std::string address = "unix:" + (home / "server.sock").string();
  std::ofstream(home / "budgets.toml") << kBudgets;
  std::ofstream(home / "server.toml")
      << fmt::format("listen = \"{}\"\ndata = \"{}\"\nbudgets = \"{}\"\n", address,
                     (home / "data").string(), (home / "budgets.toml").string());
  ChildProgram server({bin / "tacho-server", "--config", home / "server.toml"}, home / "log");
  if (!WaitFor([&] { return std::filesystem::exists(home / "server.sock"); })) Give("no server");
  const std::vector<std::pair<const char*, std::vector<std::string>>> questions = {
      {"cli_robots_ms", {"robots"}},
      {"cli_runs_ms", {"runs"}},
      {"cli_1000_runs_ms", {"runs", "--limit", "1000"}},
      {"cli_check_ms", {"check", "rb3@latest"}},
      {"cli_run_show_ms", {"run", "show", "rb3/1/50"}},
      {"cli_budget_try_ms", {"budget", "try", (home / "budgets.toml").string(), "--limit", "1000"}},
  };
  for (const auto& [name, words] : questions) {
    std::vector<std::string> command = {bin / "tacho"};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--server", address, "-o", "json", "--timeout", "60s"});
    const auto call = [&] {
      ChildProgram asked(command, home / "answer");
      const auto code = asked.AwaitExit();
      if (!code || (*code != 0 && *code != 10)) Give(command[1] + ": " + asked.Printed());
    };
    call();  // the first one reads what the next ones find in memory
    Print(name, MedianMs(call));
  }
}

void Run(const std::filesystem::path& bin) {
  TempFolder folder;
  {
    IngestConfig ingest;
    ingest.bytes_per_second = ingest.burst_bytes = 1e12;
    std::filesystem::create_directory(folder.path() / "data");
    ServerWorld world(folder.path() / "data", {}, ingest);
    for (int robot = 0; robot < kRobots; ++robot) {
      Fill(world, fmt::format("rb{}", robot), static_cast<std::uint8_t>(robot + 1), kRunsEach,
           kSecondsEach);
    }
    Fill(world, "day", 99, 1, kDay);
    Compact(world);
    Print("series_24h_ms", DayOfOneSeriesMs(world));
  }
  Ask(bin, folder.path());
}

}  // namespace
}  // namespace tacho

int main(int /*count*/, char** arguments) {
  tacho::Run(std::filesystem::path(arguments[0]).parent_path() / "../bin");
}
