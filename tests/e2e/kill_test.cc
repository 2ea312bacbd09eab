// The real programs, killed at moments that nobody chose, while events pour in: what the recorder
// said to have stored is in the server's store once, or a gap tells of it.
//   TACHO_KILLS=50  kills of each kind (5)      TACHO_SEED=N  the same moments again
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "tests/e2e/audit.h"
#include "tests/e2e/event_feed.h"
#include "tests/e2e/programs.h"
#include "tests/support/temp_folder.h"
#include "tests/support/waiting.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

constexpr int kFeeds = 4;
constexpr int kPerSecond = 3000;  // of all feeds together
constexpr std::chrono::seconds kDrainWithin = 120s;

std::uint64_t Setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Feeds, kills and starts again.
class KillWorld {
 public:
  KillWorld(std::uint64_t seed, RealFleet::Options options)
      : fleet_(folder_.path(), std::move(options)), watch_(fleet_.spool()), random_(seed) {}

  RealFleet& fleet() { return fleet_; }
  SpoolWatch& watch() { return watch_; }

  // Each event's text begins with `begin`.
  void StartFeeding(const std::string& begin = "") {
    life_ = fleet_.recorder.lives();
    began_ = std::chrono::steady_clock::now();
    for (int i = 0; i < kFeeds; ++i) {
      feeds_.push_back(std::make_unique<EventFeed>(fleet_.socket(), begin + std::to_string(i),
                                                   life_, kPerSecond / kFeeds));
    }
  }
  void AwaitStored(std::uint64_t more) {
    const std::uint64_t wanted = stored() + more;
    ASSERT_TRUE(WaitFor([&] { return stored() >= wanted; })) << fleet_.recorder.Printed();
  }
  // Lets it run for up to half a second, kills, lets it lie for a moment, and starts it again.
  void KillAndStart(const std::vector<Program*>& programs) {
    std::this_thread::sleep_for(RandomTime(100, 600));
    if (watch_.Unacknowledged().value_or(0) > 0) ++in_flight_;
    ++kills_;
    for (Program* program : programs)
      program->Kill();
    std::this_thread::sleep_for(RandomTime(0, 100));
    for (Program* program : programs) {
      if (program == &fleet_.recorder) life_ = fleet_.recorder.lives() + 1;
      program->Start();
    }
    ASSERT_NO_FATAL_FAILURE(AwaitStored(50));
  }
  void StopFeeding() {
    for (auto& feed : feeds_) {
      const auto stored = feed->Stop();
      produced_.insert(produced_.end(), stored.begin(), stored.end());
    }
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  // Ends all in order, once the server has all.
  void Drain() {
    if (fleet_.recorder.is_running()) fleet_.recorder.Stop();
    ASSERT_TRUE(watch_.AwaitDrained(kDrainWithin))
        << watch_.Unacknowledged().value_or(0) << " records are not acknowledged\n"
        << fleet_.uplink.Printed() << fleet_.server.Printed();
    fleet_.uplink.Stop();
    fleet_.server.Stop();
  }
  Account Audited() const { return AuditOf(fleet_.data(), produced_); }

  int kills() const { return kills_; }
  int in_flight() const { return in_flight_; }
  double rate() const { return static_cast<double>(produced_.size()) / seconds_; }

 private:
  std::uint64_t stored() const {
    std::uint64_t total = 0;
    for (const auto& feed : feeds_)
      total += feed->stored();
    return total;
  }
  std::chrono::milliseconds RandomTime(int least, int most) {
    return std::chrono::milliseconds(std::uniform_int_distribution<int>(least, most)(random_));
  }

  TempFolder folder_;
  RealFleet fleet_;
  SpoolWatch watch_;
  std::mt19937_64 random_;
  std::atomic<int> life_{0};
  std::chrono::steady_clock::time_point began_;
  double seconds_ = 0;
  std::vector<std::unique_ptr<EventFeed>> feeds_;
  std::vector<Produced> produced_;
  int kills_ = 0;
  int in_flight_ = 0;
};

struct Victims {
  const char* name;
  bool is_recorder;
  bool is_uplink;
  bool is_server;
};

class KillTest : public testing::TestWithParam<Victims> {
 protected:
  static void SetUpTestSuite() {
    table_ = fmt::format("{:<10}{:>7}{:>11}{:>10}{:>10}{:>6}{:>6}{:>9}{:>9}{:>8}\n", "killed",
                         "kills", "in flight", "produced", "stored", "gaps", "lost", "doubled",
                         "unheard", "rec/s");
  }
  static void TearDownTestSuite() { std::cout << table_; }
  static std::string table_;
};
std::string KillTest::table_;

TEST_P(KillTest, LosesNothingThatWasStoredAndStoresNothingTwice) {
  const Victims victims = GetParam();
  const std::uint64_t kills = Setting("TACHO_KILLS", 5);
  const std::uint64_t seed = Setting("TACHO_SEED", std::random_device{}());
  std::cout << "TACHO_SEED=" << seed << "\n";
  KillWorld world(seed, {});
  RealFleet& fleet = world.fleet();
  std::vector<Program*> programs;
  if (victims.is_recorder) programs.push_back(&fleet.recorder);
  if (victims.is_uplink) programs.push_back(&fleet.uplink);
  if (victims.is_server) programs.push_back(&fleet.server);

  fleet.StartAll();
  world.StartFeeding();
  ASSERT_NO_FATAL_FAILURE(world.AwaitStored(200));
  for (std::uint64_t i = 0; i < kills; ++i) {
    ASSERT_NO_FATAL_FAILURE(world.KillAndStart(programs));
  }
  world.StopFeeding();
  ASSERT_NO_FATAL_FAILURE(world.Drain());

  const Account account = world.Audited();
  ExpectAllAccountedFor(account);
  EXPECT_EQ(account.downs, victims.is_recorder ? kills : 0u);
  EXPECT_GE(world.in_flight() * 10, world.kills() * 8) << "too few kills hit anything in flight";
  table_ += fmt::format("{:<10}{:>7}{:>10.0f}%{:>10}{:>10}{:>6}{:>6}{:>9}{:>9}{:>8.0f}\n",
                        victims.name, world.kills(), 100.0 * world.in_flight() / world.kills(),
                        account.produced, account.stored, account.covered, account.lost,
                        account.doubled, account.unheard, world.rate());
}

INSTANTIATE_TEST_SUITE_P(Victims, KillTest,
                         testing::Values(Victims{"recorder", true, false, false},
                                         Victims{"uplink", false, true, false},
                                         Victims{"both", true, true, false},
                                         Victims{"server", false, false, true}),
                         [](const auto& row) { return std::string(row.param.name); });

// The server is away until a small spool had to let go of much.
TEST(SmallSpoolTest, WhatItLetsGoIsCoveredByGaps) {
  RealFleet::Options options;
  options.spool_max = "1MiB";
  options.spool_segment = "128KiB";
  KillWorld world(1, options);
  world.fleet().recorder.Start();
  world.fleet().uplink.Start();
  world.StartFeeding(std::string(400, '.'));
  ASSERT_NO_FATAL_FAILURE(world.AwaitStored(5'000));
  world.fleet().recorder.Kill();
  world.StopFeeding();
  world.fleet().server.Start();
  ASSERT_NO_FATAL_FAILURE(world.Drain());
  const Account account = world.Audited();
  ExpectAllAccountedFor(account);
  EXPECT_GT(account.covered, 0u);
  EXPECT_GT(account.stored, 0u);
}

}  // namespace
}  // namespace tacho
