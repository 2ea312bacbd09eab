// What the server does by itself.
#include "server/housekeeper.h"

#include <gtest/gtest.h>

#include "tests/support/fake_scheduler.h"
#include "tests/support/server_world.h"

namespace tacho {
namespace {

class HousekeeperTest : public testing::Test {
 protected:
  HousekeeperTest() : world_(folder_.path(), Config()) {}
  static StoreConfig Config() {
    StoreConfig config;
    config.compaction.rows = 50;
    return config;
  }
  // Lets the loop and the writer pass work to each other until both are done.
  void Settle() {
    for (int i = 0; i < 8; ++i) {
      world_.Settle();
      loop_.RunPosted();
    }
  }

  TempFolder folder_;
  ServerWorld world_;
  FakeScheduler loop_;
  MadeBoot boot_;
  Housekeeper housekeeper_{
      loop_,           world_.clock,      *world_.store,  *world_.writer,     world_.presence,
      *world_.rollups, *world_.evaluator, world_.silence, HousekeeperConfig{}};
};

TEST_F(HousekeeperTest, CompactsWithoutChangingAnAnswer) {
  auto stream = world_.Call("rb12", boot_.id(), 1);
  world_.Send(*stream, {boot_.DictionaryRecord(), boot_.Opened(1, "mission", At(1))});
  for (int i = 0; i < 13; ++i)
    world_.Send(*stream, {boot_.Seconds(1 + 10 * i, 10)});
  const auto ask = [&] {
    return world_.Ask("run", Json::Object{{"run", "rb12@latest"}}).Dump() +
           world_.Ask("series", Json::Object{{"run", "rb12@latest"}}).Dump();
  };
  const std::string before = ask();
  housekeeper_.Compact();
  Settle();
  EXPECT_EQ(ask(), before);
  EXPECT_TRUE(world_.store->RollupOf({{"rb12", boot_.id()}, 1}).ok());
}

TEST_F(HousekeeperTest, KeepsTheStatisticsOfRetiredDays) {
  auto stream = world_.Call("rb12", boot_.id(), 1);
  world_.Send(*stream, {boot_.DictionaryRecord(), boot_.Opened(1, "mission", At(1)),
                        boot_.Seconds(1, 30), boot_.Closed(1, "mission", At(31), "command")});
  const std::string before = world_.Ask("run", Json::Object{{"run", "rb12@latest"}}).Dump();
  world_.clock.SetWall(kTestDay + std::chrono::hours(24 * 100));
  housekeeper_.RetireDays();
  Settle();
  EXPECT_TRUE(world_.store->HasRetired({"rb12", boot_.id()}));
  EXPECT_EQ(world_.Ask("run", Json::Object{{"run", "rb12@latest"}}).Dump(), before);
}

}  // namespace
}  // namespace tacho
