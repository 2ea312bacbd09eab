// A captured tegrastats log through pipe, recorder, spool, gRPC and SQLite comes back as it was.
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tests/e2e/fleet.h"
#include "tests/e2e/robot.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

// What a plain regular expression finds of rails (mW) and temperatures (C) in the lines.
std::map<std::string, std::vector<double>> Expected(const std::vector<std::string>& lines) {
  static const std::regex power(R"(([A-Z][A-Z0-9_]*) (-?\d+)mW/-?\d+mW)");
  static const std::regex temperature(R"(([A-Za-z][A-Za-z0-9_]*)@(-?[0-9.]+)C)");
  std::map<std::string, std::vector<double>> series;
  for (const std::string& line : lines) {
    for (std::sregex_iterator at(line.begin(), line.end(), power), end; at != end; ++at) {
      series["power_rail/" + (*at)[1].str()].push_back(std::stod((*at)[2]) / 1000);
    }
    for (std::sregex_iterator at(line.begin(), line.end(), temperature), end; at != end; ++at) {
      series["thermal_zone_temperature/" + (*at)[1].str()].push_back(std::stod((*at)[2]));
    }
  }
  return series;
}

std::map<std::string, std::vector<double>> Stored(TestFleet& fleet, const std::string& run) {
  std::map<std::string, std::vector<double>> series;
  const Json answer = fleet.Ask("series", {{"run", run}, {"max_points", 0}});
  for (const Json& one : answer["series"].items()) {
    auto& values = series[one["metric"].AsText() + "/" + one["instance"].AsText()];
    for (const Json& point : one["points"].items()) {
      values.push_back(point.items()[2].AsDouble());
    }
  }
  return series;
}

std::vector<std::string> LinesOf(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

// Returns the number of lines replayed.
void Replay(const std::vector<std::string>& lines, std::size_t rails) {
  TempFolder folder;
  FakeClock clock(BootTimeOf(1'000'000'000));
  clock.SetWall(WallTimeOf(1'790'000'000'000'000'000));
  clock.SetTrust(ClockTrust::kNtp);
  TestFleet fleet(folder.path(), clock);
  TestRobot robot(folder.path(), clock, SpoolIn(folder.path()));
  TestUplink uplink(robot.spool_folder(), clock, fleet.endpoint(), robot.boot());
  for (const std::string& line : lines) {
    ASSERT_NO_FATAL_FAILURE(robot.Say(line, 500ms));
  }
  robot.StopRecorder();
  uplink.Wake();
  ASSERT_TRUE(WaitFor([&] { return fleet.store().CountsOf("rb12").stored == robot.produced(); }))
      << fleet.store().CountsOf("rb12").stored << " of " << robot.produced();

  auto stored = Stored(fleet, "rb12/1/1");
  const auto expected = Expected(lines);
  ASSERT_GE(expected.size(), rails);
  for (const auto& [name, values] : expected) {
    EXPECT_EQ(stored[name], values) << name;
  }
}

TEST(ReplayTest, EveryValueOfAnOrinComesBackEqual) {
  const std::filesystem::path log =
      TACHO_SOURCE_DIR "/../shared/data/tegrastats/full_orin-agx64_r36_root_600lines.log";
  if (!std::filesystem::exists(log)) GTEST_SKIP() << log << " is not on this machine";
  const auto lines = LinesOf(log);
  ASSERT_EQ(lines.size(), 600u);
  Replay(lines, 11);
}

TEST(ReplayTest, EveryValueOfTheFixtureOrinComesBackEqual) {
  const auto lines = LinesOf(TACHO_SOURCE_DIR "/tests/boards/orin-agx/tegrastats.log");
  ASSERT_GE(lines.size(), 40u);
  Replay(lines, 8);
}

}  // namespace
}  // namespace tacho
