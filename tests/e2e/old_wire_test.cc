// What a robot of an earlier protocol once sent, byte for byte, is still taken as it was meant.
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "rpc/inside/convert.h"
#include "tests/support/server_world.h"

namespace tacho {
namespace {

// One message of the wire a line, in hex; `#` begins a comment.
std::vector<std::string> MessagesOf(const std::string& name) {
  const std::string path = std::string(TACHO_SOURCE_DIR) + "/tests/wire/" + name;
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  std::vector<std::string> messages;
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find_first_of(" #"));
    std::string bytes;
    for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16));
    }
    if (!bytes.empty()) messages.push_back(std::move(bytes));
  }
  return messages;
}

// A server of today that hears the messages as its reactor would.
class OldRobot {
 public:
  explicit OldRobot(ServerWorld& world) : world_(world) {}

  void Say(const std::string& bytes) {
    v1::Up up;
    ASSERT_TRUE(up.ParseFromString(bytes));
    auto message = FromWire(std::as_const(up));
    ASSERT_TRUE(message.ok()) << message.error()->message();
    if (const auto* hello = std::get_if<Hello>(&*message)) stream = world_.Call(*hello);
    if (const auto* record = std::get_if<Record>(&*message)) world_.Send(*stream, {*record});
    if (const auto* goodbye = std::get_if<Goodbye>(&*message)) {
      world_.ingest().OnGoodbye(*stream, goodbye->reason);
    }
  }
  std::shared_ptr<FakeRobotStream> stream;

 private:
  ServerWorld& world_;
};

TEST(OldWire, AStreamOfVersion1IsCommittedAsItWasMeant) {
  const TempFolder folder;
  ServerWorld world(folder.path());
  OldRobot robot(world);
  for (const std::string& message : MessagesOf("v1_robot.hex")) {
    ASSERT_NO_FATAL_FAILURE(robot.Say(message));
  }
  ASSERT_TRUE(robot.stream->welcome().has_value());
  EXPECT_EQ(robot.stream->welcome()->protocol, 1u);
  EXPECT_TRUE(robot.stream->refusals().empty());
  EXPECT_FALSE(robot.stream->end().has_value());

  const MadeBoot made;
  const auto through = [&](Tier tier) {
    return world.store->CommittedOf({"rb12", made.Stream(tier)}).through();
  };
  EXPECT_EQ(through(Tier::kEvents), Seq{7});
  EXPECT_EQ(through(Tier::kSummaries), Seq{25});
  const RecordCounts counts = world.store->CountsOf("rb12");
  EXPECT_EQ(counts.stored, 27u);
  EXPECT_EQ(counts.gaps, 5u);
  EXPECT_EQ(counts.missing, 0u);

  const auto events = world.store->Events({"rb12", made.id()});
  ASSERT_TRUE(events.ok());
  ASSERT_EQ(events->size(), 1u);
  EXPECT_EQ((*events)[0].event.detail, "oc3");
  const Json run = world.Ask("run", Json::Object{{"run", "rb12/118/1"}});
  EXPECT_EQ(run["run"]["name"].AsText(), "mission");
  EXPECT_EQ(run["run"]["state"].AsText(), "closed");
  const Json series =
      world.Ask("series", Json::Object{{"run", "rb12/118/1"}, {"metric", "temperature"}});
  const auto& points = series["series"].items().at(0)["points"].items();
  ASSERT_EQ(points.size(), 20u);
  EXPECT_DOUBLE_EQ(points.front().items()[2].AsDouble(), 40.125);
  EXPECT_DOUBLE_EQ(points.back().items()[2].AsDouble(), 40 + 25 * 0.125);
}

}  // namespace
}  // namespace tacho
