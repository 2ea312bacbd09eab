// The order in which records arrive never changes an answer.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "server/judge/rollup.h"
#include "tests/support/server_world.h"

namespace tacho {
namespace {

// All that one boot sends: runs, a second dictionary, a gap, 300 seconds in batches of odd sizes.
std::vector<Record> AllOf(MadeBoot& boot) {
  std::vector<Record> records = {boot.Report(7),
                                 boot.DictionaryRecord(),
                                 boot.Opened(1, "idle", At(1)),
                                 boot.Pair(At(3), kTestDay, ClockTrust::kNtp),
                                 boot.Closed(1, "idle", At(50.25), "next run"),
                                 boot.Opened(2, "mission", At(50.25)),
                                 boot.Happened("note", "x", At(60)),
                                 boot.Closed(2, "mission", At(200.25), "command"),
                                 boot.Opened(3, "idle", At(200.25))};
  int second = 1;
  for (const int count : {7, 30, 1, 60, 45, 57}) {
    records.push_back(boot.Seconds(second, count));
    second += count;
  }
  boot.UseDictionary(MadeDictionary("40W"));
  records.push_back(boot.DictionaryRecord());
  records.push_back(boot.Seconds(second, 40));
  records.push_back(boot.Seconds(second + 40, 60));
  return records;
}

// Within a stream the order is kept, as a robot does; a batch waits for its dictionary, as the
// refusal makes a robot do; between streams anything may happen.
std::vector<Record> Shuffled(const std::vector<Record>& records, std::mt19937_64& random) {
  std::map<StreamKey, std::vector<Record>> streams;
  for (const Record& record : records)
    streams[record.stream].push_back(record);
  auto& events = streams.begin()->second;
  // The event stream by itself may be sent in any order too: only dictionaries come first.
  std::shuffle(events.begin(), events.end(), random);
  std::stable_partition(events.begin(), events.end(), [](const Record& record) {
    return record.kind == RecordKind::kDictionary;
  });
  std::vector<Record> mixed(events.begin(), events.begin() + 2);
  events.erase(events.begin(), events.begin() + 2);
  while (!streams.empty()) {
    auto at = streams.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random() % streams.size()));
    if (at->second.empty()) {
      streams.erase(at);
      continue;
    }
    mixed.push_back(at->second.front());
    at->second.erase(at->second.begin());
  }
  return mixed;
}

std::string AnswersOf(ServerWorld& world) {
  std::string text;
  for (const char* run : {"rb12/7/1", "rb12/7/2", "rb12/7/3"}) {
    text += world.Ask("run", Json::Object{{"run", run}}).Dump() + "\n";
    RunBook book(*world.store);
    const auto view = book.Find(run);
    if (!view.ok()) return view.error()->message();
    RunRollup rollup = **world.rollups->Of(view->span);
    // Which seqs it looked at to find its rows depends on how they are packed.
    rollup.folded.clear();
    for (const std::byte byte : Encode(rollup))
      text += static_cast<char>(byte);
  }
  return text;
}

TEST(Order, OfArrivalNeverShowsInRollupsAndAnswers) {
  MadeBoot boot;
  const std::vector<Record> records = AllOf(boot);
  std::string expected;
  std::mt19937_64 random(3);
  for (int round = 0; round < 8; ++round) {
    TempFolder folder;
    StoreConfig config;
    config.compaction.rows = 50;
    ServerWorld world(folder.path(), config);
    auto stream = world.Call("rb12", boot.id(), 7);
    const auto mixed = round == 0 ? records : Shuffled(records, random);
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      world.Send(*stream, {mixed[i]});
      // Asking in between, and compacting, makes the rollups grow in different steps.
      if (round % 2 == 1 && i % 3 == 0) AnswersOf(world);
      if (round % 4 == 3) {
        world.OnWriter([](RunWriter& store) {
          while (*store.CompactSome(kTestDay)) {
          }
        });
      }
    }
    EXPECT_TRUE(stream->refusals().empty());
    const std::string answers = AnswersOf(world);
    if (round == 0) expected = answers;
    EXPECT_TRUE(answers == expected) << "round " << round;
  }
  EXPECT_NE(expected.find("mission"), std::string::npos);
}

TEST(Order, ANewerBootEndsTheOpenRunOfTheOlderWheneverItsRowsCome) {
  TempFolder folder;
  ServerWorld world(folder.path());
  MadeBoot old(1);
  MadeBoot young(2);
  auto stream = world.Call("rb12", young.id(), 2);
  world.Send(*stream, {young.Report(2), young.DictionaryRecord(), young.Opened(1, "idle", At(1)),
                       young.Seconds(1, 5)});
  world.Send(*stream, {old.Report(1), old.DictionaryRecord(), old.Opened(1, "mission", At(1)),
                       old.Seconds(1, 30)});
  const Json runs = world.Ask("runs");
  ASSERT_EQ(runs["runs"].items().size(), 1u);
  const Json& run = runs["runs"].items()[0];
  EXPECT_EQ(run["run"].AsText(), "rb12/1/1");
  EXPECT_EQ(run["state"].AsText(), "unclean");
  EXPECT_DOUBLE_EQ(run["duration_s"].AsDouble(), 29);
  EXPECT_EQ(world.Ask("runs", Json::Object{{"idle", true}})["runs"].items()[0]["state"].AsText(),
            "open");
}

}  // namespace
}  // namespace tacho
