// The disk of the robot or of the server is full for a while: what was said to be stored is in the
// store in the end, or a gap tells of it.
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "tests/e2e/audit.h"
#include "tests/e2e/event_feed.h"
#include "tests/e2e/programs.h"
#include "tests/e2e/small_disk.h"
#include "tests/support/temp_folder.h"
#include "tests/support/waiting.h"

namespace tacho {
namespace {

using namespace std::chrono_literals;

class FullDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!disk_.refusal().empty()) GTEST_SKIP() << disk_.refusal();
  }
  RealFleet& Make(RealFleet::Options options) {
    fleet_.emplace(folder_.path(), std::move(options));
    watch_.emplace(fleet_->spool());
    return *fleet_;
  }
  void StartFeeding(int per_second, const std::string& name = "x") {
    life_ = fleet_->recorder.lives();
    feed_.emplace(fleet_->socket(), name, life_, per_second);
  }
  void AwaitStored(std::uint64_t more) {
    const std::uint64_t wanted = feed_->stored() + more;
    ASSERT_TRUE(WaitFor([&] { return feed_->stored() >= wanted; }, 60s))
        << fleet_->recorder.Printed();
  }
  // A fleet that works until the server finds no room.
  void FillTheServersDisk() {
    RealFleet& fleet = Make({.data = (disk_.folder() / "server").string()});
    fleet.StartAll();
    StartFeeding(500);
    ASSERT_NO_FATAL_FAILURE(AwaitStored(500));
    disk_.Fill();
    ASSERT_TRUE(WaitFor(
        [&] { return fleet.server.Printed().find("the store cannot write") != std::string::npos; },
        60s))
        << fleet.server.Printed();
  }
  Json SpoolStatus() {
    const int connection = ConnectLocal(fleet_->socket());
    const std::string ask = "{\"do\":\"status\"}\n";
    std::string text;
    char byte = 0;
    if (::send(connection, ask.data(), ask.size(), MSG_NOSIGNAL) > 0) {
      while (::recv(connection, &byte, 1, 0) == 1 && byte != '\n')
        text += byte;
    }
    ::close(connection);
    const auto json = Json::Parse(text);
    return json.ok() ? (*json)["spool"] : Json();
  }
  bool AwaitRam(bool is_wanted) {
    return WaitFor([&] { return SpoolStatus()["ram_only"].AsBool() == is_wanted; }, 120s);
  }
  // Ends the feed, lets the server have all, ends everything and looks at the store.
  Account Finish() {
    const std::vector<Produced> produced = feed_->Stop();
    fleet_->recorder.Stop();
    EXPECT_TRUE(watch_->AwaitDrained(120s)) << fleet_->uplink.Printed() << fleet_->server.Printed();
    fleet_->uplink.Stop();
    fleet_->server.Stop();
    return AuditOf(fleet_->data(), produced);
  }
  static std::size_t CountOf(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at)
      ++count;
    return count;
  }

  TempFolder folder_;
  SmallDisk disk_{folder_.path() / "disk", 16};
  std::optional<RealFleet> fleet_;
  std::optional<SpoolWatch> watch_;
  std::atomic<int> life_{0};
  std::optional<EventFeed> feed_;
};

TEST_F(FullDiskTest, ARecorderWithoutSpaceGoesOnInMemoryAndWritesWhenThereIsSome) {
  RealFleet& fleet = Make({.spool = (disk_.folder() / "spool").string()});
  disk_.Fill();
  fleet.StartAll();
  StartFeeding(300);
  ASSERT_NO_FATAL_FAILURE(AwaitStored(300));
  ASSERT_TRUE(AwaitRam(true));
  EXPECT_NE(SpoolStatus()["detail"].AsText().find("No space left"), std::string::npos);
  disk_.Free();
  ASSERT_TRUE(AwaitRam(false)) << fleet.recorder.Printed();
  ASSERT_NO_FATAL_FAILURE(AwaitStored(300));
  ASSERT_TRUE(WaitFor([&] { return CountOf(fleet.recorder.Printed(), "spool_back: ") == 1; }));
  EXPECT_EQ(CountOf(fleet.recorder.Printed(), "spool_refused: "), 1u) << fleet.recorder.Printed();
  const Account account = Finish();
  ExpectAllAccountedFor(account);
  EXPECT_EQ(account.stored, account.produced);
}

TEST_F(FullDiskTest, ARecorderLivesWithinTheSpaceThatThereIs) {
  RealFleet& fleet = Make({.spool = (disk_.folder() / "spool").string()});
  fleet.recorder.Start();
  fleet.uplink.Start();
  StartFeeding(3000, std::string(1500, '.'));
  ASSERT_TRUE(WaitFor([&] { return SpoolStatus()["evicted"].AsInt() > 0; }, 120s));
  ASSERT_NO_FATAL_FAILURE(AwaitStored(3000));
  EXPECT_FALSE(SpoolStatus()["ram_only"].AsBool());
  fleet.server.Start();
  const Account account = Finish();
  ExpectAllAccountedFor(account);
  EXPECT_GT(account.covered, 0u);
}

TEST_F(FullDiskTest, AServerWithoutSpaceAcknowledgesNothingAndLosesNothing) {
  ASSERT_NO_FATAL_FAILURE(FillTheServersDisk());
  RealFleet& fleet = *fleet_;
  ASSERT_NO_FATAL_FAILURE(AwaitStored(1000));
  EXPECT_GE(watch_->Unacknowledged().value_or(0), 900u) << "what has no room was acknowledged";
  fleet.server.Kill();  // what it has acknowledged is on the disk
  disk_.Free();
  fleet.server.Start();
  ASSERT_NO_FATAL_FAILURE(AwaitStored(500));
  const Account account = Finish();
  ExpectAllAccountedFor(account);
  EXPECT_EQ(account.stored, account.produced);
}

TEST_F(FullDiskTest, AServerGoesOnByItselfOnceThereIsSpace) {
  ASSERT_NO_FATAL_FAILURE(FillTheServersDisk());
  disk_.Free();
  ASSERT_NO_FATAL_FAILURE(AwaitStored(500));
  const Account account = Finish();
  ExpectAllAccountedFor(account);
  EXPECT_EQ(account.stored, account.produced);
}

}  // namespace
}  // namespace tacho
