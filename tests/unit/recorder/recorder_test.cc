// The recorder's core from readings to records, with time in the test's hand.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/codec/block.h"
#include "common/dictionary.h"
#include "daemon/recorder/local_requests.h"
#include "daemon/recorder/status_report.h"
#include "tests/unit/recorder/recorder_world.h"

namespace tacho {
namespace {

constexpr MetricDef kPower{"power_rail", Unit::kWatts, 3, Shape::kGauge, "Power of a rail."};

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() { Begin(); }

  void Begin() {
    life_.reset();
    life_ = std::make_unique<RecorderLife>(clock_, disk_, folder_.path(), TestBoot(1));
  }
  std::vector<Record> Records(Tier tier) {
    SpoolReader reader("/spool", disk_);
    std::vector<Record> records;
    for (const auto& [key, record] : ReadAll(reader, 1 << 20).records) {
      if (key.first.tier == tier) records.push_back(record);
    }
    return records;
  }
  std::vector<RecordKind> EventKinds() {
    std::vector<RecordKind> kinds;
    for (const Record& record : Records(Tier::kEvents))
      kinds.push_back(record.kind);
    return kinds;
  }
  std::vector<Event> Events() {
    std::vector<Event> events;
    for (const Record& record : Records(Tier::kEvents)) {
      if (record.kind == RecordKind::kEvent) events.push_back(*DecodeEvent(record.payload));
    }
    return events;
  }
  // "+1 idle -1 idle/stop"
  std::string RunText() {
    std::string text;
    for (const Record& record : Records(Tier::kEvents)) {
      if (record.kind != RecordKind::kRun) continue;
      const RunChange change = *DecodeRunChange(record.payload);
      const bool is_open = change.what == RunChange::What::kOpened;
      text += (text.empty() ? "" : " ") + std::string(is_open ? "+" : "-") +
              std::to_string(change.number) + " " + change.name +
              (is_open ? "" : "/" + change.reason);
    }
    return text;
  }
  // All summaries, unpacked into one block a group.
  std::vector<Block> Blocks() {
    std::vector<Block> all;
    for (const Record& record : Records(Tier::kSummaries)) {
      const auto blocks = DecodeBlocks(record.payload);
      EXPECT_TRUE(blocks.ok());
      if (blocks.ok()) Append(all, *blocks);
    }
    return all;
  }

  TempFolder folder_;
  FakeClock clock_{At(13)};
  FaultyDisk disk_;
  std::unique_ptr<RecorderLife> life_;
};

TEST_F(RecorderTest, RecordsBeginWithBootDictionaryClockAndRun) {
  life_->Start();
  life_->Stop();
  EXPECT_EQ(EventKinds(),
            (std::vector<RecordKind>{RecordKind::kBoot, RecordKind::kDictionary, RecordKind::kClock,
                                     RecordKind::kRun, RecordKind::kRun}));
  EXPECT_EQ(RunText(), "+1 idle -1 idle/stop");
}

TEST_F(RecorderTest, SixHundredLinesAtTwoHertzAreSixHundredValuesInTheSpool) {
  const ChannelId rail = life_->Add(kPower, "GPU");
  life_->Start();
  for (int line = 0; line < 600; ++line) {
    const double at = 14.2 + 0.5 * line;
    life_->feed().Say(at, {Value(Number(rail), 1000 + line)});
    life_->TickAt(at);
  }
  life_->Stop();
  const auto blocks = Blocks();
  const auto board = std::ranges::find(blocks, GroupId{0}, &Block::group);
  ASSERT_NE(board, blocks.end());
  ASSERT_EQ(board->rows(), 600u);
  ASSERT_EQ(board->columns.size(), 1u);
  for (std::size_t line = 0; line < 600; ++line) {
    EXPECT_EQ(board->columns[0].values[line], 1000 + static_cast<std::int64_t>(line));
  }
}

TEST_F(RecorderTest, NewChannelBringsItsDictionaryBeforeItsFirstSummary) {
  const ChannelId first = life_->Add(kPower, "GPU");
  life_->Start();
  life_->feed().Say(14, {Value(Number(first), 1)});
  life_->TickAt(16.5);
  const ChannelId second = life_->Add(kPower, "CPU");
  life_->feed().Say(17, {Value(Number(first), 1), Value(Number(second), 2)});
  life_->TickAt(19.5);
  life_->Stop();

  std::vector<DictionaryHash> known;
  std::vector<Dictionary> dictionaries;
  for (const Record& record : Records(Tier::kEvents)) {
    if (record.kind != RecordKind::kDictionary) continue;
    known.push_back(HashOf(record.payload));
    dictionaries.push_back(*DecodeDictionary(record.payload));
  }
  ASSERT_EQ(known.size(), 2u);
  EXPECT_EQ(dictionaries[1].channels.at(Number(second)).instance, "CPU");
  const auto summaries = Records(Tier::kSummaries);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].dictionary, known[0]);
  EXPECT_EQ(summaries[1].dictionary, known[1]);
}

TEST_F(RecorderTest, StartIn1970AndStepToTodayLoseNothing) {
  const ChannelId rail = life_->Add(kPower, "GPU");
  life_->Start();
  for (int second = 14; second < 30; ++second) {
    if (second == 20) clock_.SetWall(WallTimeOf(1'800'000'000'000'000'000));
    life_->feed().Say(second, {Value(Number(rail), second)});
    life_->TickAt(second + 0.5);
  }
  life_->Stop();
  const auto blocks = Blocks();
  ASSERT_FALSE(blocks.empty());
  EXPECT_EQ(blocks[0].rows(), 16u);
  EXPECT_TRUE(std::ranges::is_sorted(blocks[0].times));
  std::vector<ClockPair> pairs;
  for (const Record& record : Records(Tier::kEvents)) {
    if (record.kind == RecordKind::kClock) pairs.push_back(*DecodeClockPair(record.payload));
  }
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_LT(pairs[0].wall, WallTimeOf(100'000'000'000));
  EXPECT_GE(pairs[1].wall, WallTimeOf(1'800'000'000'000'000'000));
  ASSERT_EQ(Events().size(), 1u);
  EXPECT_EQ(Events()[0].kind, "clock_stepped");
}

TEST_F(RecorderTest, MissionSurvivesTheRecordersDeath) {
  life_->Start();
  EXPECT_TRUE(life_->recorder().runs().Start("mission", {{"site", "M1"}}, At(20), nullptr));
  life_->feed().Say(25, {});
  life_->TickAt(25);
  Begin();  // nothing was closed
  clock_.SetBoot(At(32));
  life_->Start();
  EXPECT_EQ(life_->recorder().runs().open().name, "mission");
  EXPECT_EQ(life_->recorder().runs().open().number, 3u);
  life_->Stop();
  EXPECT_EQ(RunText(),
            "+1 idle -1 idle/next run +2 mission -2 mission/unclean end +3 mission -3 "
            "mission/stop");
  ASSERT_EQ(Events().size(), 1u);
  EXPECT_EQ(Events()[0].kind, "recorder_down");
  EXPECT_NE(Events()[0].detail.find("from 25.000 s to 32.000 s"), std::string::npos)
      << Events()[0].detail;
}

// The beat of each second said that nothing was recorded since, with events in the store that were.
TEST_F(RecorderTest, DownTimeBeginsBehindTheLastEventThatWasKept) {
  life_->Start();
  life_->TickAt(20);
  EXPECT_TRUE(life_->recorder().KeepEvent(
      {.at = At(20.75), .severity = Severity::kInfo, .kind = "door", .detail = ""}, nullptr));
  Begin();
  clock_.SetBoot(At(30));
  life_->Start();
  life_->Stop();
  const std::vector<Event> events = Events();
  const auto down = std::ranges::find(events, "recorder_down", &Event::kind);
  ASSERT_NE(down, events.end());
  EXPECT_NE(down->detail.find("from 20.750 s to 30.000 s"), std::string::npos) << down->detail;
}

TEST_F(RecorderTest, DiskThatRefusesIsToldOfOnceAndSoIsItsReturn) {
  disk_.FailAlways(FaultyDisk::Call::kFolder);
  life_->Start();
  const auto is_refusing = [&] { return life_->spool().view()->counters.is_ram_only; };
  ASSERT_TRUE(life_->Await([&] { return life_->spool().view() && is_refusing(); }));
  for (const double at : {14, 15, 16})
    life_->TickAt(at);
  disk_.Heal();
  for (int second = 100; is_refusing(); second += 100) {
    ASSERT_LT(second, 100'000);
    life_->TickAt(second);
    bool is_taken = false;
    ASSERT_TRUE(life_->recorder().journal().AddEvent(
        {.at = At(second), .kind = "door", .detail = ""}, [&](const Stored&) { is_taken = true; }));
    ASSERT_TRUE(life_->Await([&] { return is_taken; }));
  }
  life_->TickAt(200'000);
  life_->TickAt(200'001);
  life_->Stop();
  std::string told;
  for (const Event& event : Events()) {
    if (event.kind.starts_with("spool_")) told += event.kind + " ";
  }
  EXPECT_EQ(told, "spool_refused spool_back ");
}

TEST_F(RecorderTest, CleanRestartGoesOnWithTheNextNumber) {
  life_->Start();
  life_->Stop();
  Begin();
  life_->Start();
  life_->Stop();
  EXPECT_EQ(RunText(), "+1 idle -1 idle/stop +2 idle -2 idle/stop");
  EXPECT_TRUE(Events().empty());
}

TEST_F(RecorderTest, AnotherBootCountsItsRunsFromOne) {
  life_->Start();
  life_.reset();
  life_ = std::make_unique<RecorderLife>(clock_, disk_, folder_.path(), TestBoot(2));
  life_->Start();
  EXPECT_EQ(life_->recorder().runs().open().number, 1u);
  life_->Stop();
}

// Two runs under one number would be one run to the server.
TEST_F(RecorderTest, LostRunFileLeavesNoNumberToBeUsedTwice) {
  double at = 15;
  for (const std::string& left : {std::string("junk"), std::string()}) {
    at += 60;
    life_->Start();
    life_->recorder().runs().Start("mission", {}, At(at), nullptr);
    const std::uint32_t used = life_->recorder().runs().open().number;
    life_->TickAt(at + 1);
    life_.reset();
    const auto file = folder_.path() / "run.json";
    std::filesystem::remove(file);
    if (!left.empty()) std::ofstream(file) << left;
    Begin();
    life_->Start();
    EXPECT_GT(life_->recorder().runs().open().number, used) << "'" << left << "'";
    life_->Stop();
    Begin();
  }
}

TEST_F(RecorderTest, ValueThatCannotBeIsKeptNowhere) {
  const ChannelId zone =
      life_->Add({"thermal_zone_temperature", Unit::kCelsius, 3, Shape::kGauge, "Heat."}, "cpu");
  life_->Start();
  life_->feed().Say(14, {Value(Number(zone), std::numeric_limits<std::int64_t>::min())});
  life_->TickAt(14.5);
  const auto word = life_->recorder().latest().Of(zone);
  ASSERT_TRUE(word.has_value());
  EXPECT_EQ(word->cell.why, Why::kUnparsable);
  life_->Stop();
  const auto blocks = Blocks();
  ASSERT_FALSE(blocks.empty());
  EXPECT_EQ(blocks[0].columns.at(0).why.at(0), Why::kUnparsable);
}

TEST_F(RecorderTest, FilesTakenAwayAreAnEventAndTheDictionaryIsSaidAgain) {
  const ChannelId rail = life_->Add(kPower, "GPU");
  disk_.TakeAllAwayAtSync(4);
  life_->Start();
  double at = 14;
  EXPECT_TRUE(life_->Await([&] {
    at += 1;
    life_->feed().Say(at, {Value(Number(rail), 1)});
    life_->TickAt(at);
    const auto& view = life_->spool().view();
    return view && view->counters.lost_segments > 0;
  }));
  life_->TickAt(at + 1);
  life_->TickAt(at + 2);
  life_->Stop();
  ASSERT_EQ(Events().size(), 1u);
  EXPECT_EQ(Events()[0].kind, "spool_lost");
  const auto kinds = EventKinds();
  EXPECT_GE(std::ranges::count(kinds, RecordKind::kDictionary), 1) << "whenever it was lost";
  EXPECT_GE(std::ranges::count(kinds, RecordKind::kGap), 1);
}

TEST_F(RecorderTest, OwnCountersAreRecordedAsAGroup) {
  life_->Start();
  life_->TickAt(15);
  life_->Stop();
  const Dictionary& dictionary = life_->recorder().dictionary();
  const auto group = std::ranges::find(dictionary.groups, "recorder", &GroupDef::name);
  ASSERT_NE(group, dictionary.groups.end());
  const auto blocks = Blocks();
  const auto own = std::ranges::find(blocks, group->id, &Block::group);
  ASSERT_NE(own, blocks.end());
  EXPECT_EQ(own->rows(), 1u);
}

// Asks as a client of the local socket would.
class LocalRequestsTest : public RecorderTest {
 protected:
  LocalRequestsTest()
      : status_(life_->recorder(), sources_, config_, "tachod test"),
        requests_(life_->recorder(), status_) {
    life_->Start();
    EXPECT_TRUE(life_->Await([&] { return life_->spool().view().has_value(); }));
  }
  ~LocalRequestsTest() override { life_->Stop(); }

  Json Ask(std::string_view line, bool may_change = true) {
    std::optional<std::string> answer;
    requests_.Handle(line, {.may_change = may_change},
                     [&](std::string text) { answer = std::move(text); });
    EXPECT_TRUE(life_->Await([&] { return answer.has_value(); }));
    return *Json::Parse(answer.value_or("null"));
  }

  std::vector<SourceState> sources_ = {
      {.name = "thermal", .what = SourceState::What::kAbsent, .detail = "no zones"}};
  RecorderConfig config_;
  StatusReport status_;
  LocalRequests requests_;
};

TEST_F(LocalRequestsTest, RunIsStartedAndStoppedWithItsSeq) {
  const Json started = Ask(R"({"do":"run_start","name":"mission","labels":{"k":"v"}})");
  EXPECT_TRUE(started["ok"].AsBool());
  EXPECT_EQ(started["run"].AsText(), "1/2");
  EXPECT_EQ(started["stored"].AsInt(), 6);  // boot, dictionary, clock, +1, -1, +2
  const Json stopped = Ask(R"({"do":"run_stop"})");
  EXPECT_TRUE(stopped["ok"].AsBool());
  EXPECT_EQ(stopped["run"].AsText(), "1/2");
  EXPECT_FALSE(Ask(R"({"do":"run_stop"})")["ok"].AsBool());
}

TEST_F(LocalRequestsTest, EventIsStored) {
  const Json answer =
      Ask(R"({"do":"event","kind":"door_open","detail":"left","severity":"warning"})");
  EXPECT_TRUE(answer["ok"].AsBool());
  EXPECT_GT(answer["stored"].AsInt(), 0);
  EXPECT_TRUE(answer["ram"].is_null());
}

TEST_F(LocalRequestsTest, WhoMayNotChangeMayStillAsk) {
  EXPECT_TRUE(Ask(R"({"do":"status"})", false)["ok"].AsBool());
  for (const char* line : {R"({"do":"run_start","name":"x"})", R"({"do":"run_stop"})",
                           R"({"do":"event","kind":"x"})"}) {
    EXPECT_FALSE(Ask(line, false)["ok"].AsBool()) << line;
  }
}

TEST_F(LocalRequestsTest, WhatIsWrongIsAnsweredWithASentence) {
  const std::string long_name(200, 'x');
  for (const std::string& line :
       {std::string("garbage"), std::string("[]"), std::string("{}"), std::string(R"({"do":7})"),
        std::string(R"({"do":"run_start"})"), std::string(R"({"do":"run_start","name":"idle"})"),
        std::string(R"({"do":"run_start","name":"a/b"})"),
        R"({"do":"run_start","name":")" + long_name + "\"}",
        std::string(R"({"do":"run_start","name":"x","labels":{"k":1}})"),
        std::string(R"({"do":"run_start","name":"x","labels":[1]})"),
        std::string(R"({"do":"event"})"), std::string(R"({"do":"event","kind":"Door"})"),
        std::string(R"({"do":"event","kind":"robot_silent"})"),
        std::string(R"({"do":"event","kind":"clock_stepped"})"),
        std::string(R"({"do":"event","kind":"x","severity":"bad"})")}) {
    const Json answer = Ask(line);
    EXPECT_FALSE(answer["ok"].AsBool(true)) << line;
    EXPECT_FALSE(answer["error"].AsText().empty()) << line;
  }
}

TEST_F(LocalRequestsTest, StatusHasWhatThePagePromises) {
  const ChannelId rail = life_->Add(kPower, "GPU");
  const ChannelId gated = life_->Add(kPower, "CPU");
  life_->feed().Say(14, {Value(Number(rail), 1500), Absent(Number(gated), Why::kGated)});
  life_->TickAt(15);
  const Json status = Ask(R"({"do":"status"})");
  EXPECT_EQ(status["boot_counter"].AsInt(), 1);
  EXPECT_EQ(status["run"]["name"].AsText(), "idle");
  EXPECT_EQ(status["clock"]["trust"].AsText(), "never");
  EXPECT_EQ(status["sources"].items().at(0)["state"].AsText(), "absent");
  EXPECT_TRUE(status["spool"]["ok"].AsBool());
  EXPECT_GT(status["spool"]["max_bytes"].AsInt(), 0);
  EXPECT_TRUE(status["flight"]["seconds_held"].is_number());
  EXPECT_TRUE(status["drops"]["ring"].is_number());
  const auto of = [&](const char* instance) {
    for (const Json& series : status["series"].items()) {
      if (series["instance"].AsText() == instance) return series;
    }
    return Json();
  };
  EXPECT_EQ(of("GPU")["value"].AsDouble(), 1.5);
  EXPECT_EQ(of("GPU")["unit"].AsText(), "W");
  EXPECT_EQ(of("GPU")["age_s"].AsDouble(), 1.0);
  EXPECT_TRUE(of("CPU")["value"].is_null());
  EXPECT_EQ(of("CPU")["why"].AsText(), NameOf(Why::kGated));
}

TEST_F(LocalRequestsTest, NobodyIsToldTheStatusButChangesAreMadeForWhoLeft) {
  int answers = 0;
  const auto count = [&](const std::string&) { ++answers; };
  requests_.Handle(R"({"do":"status"})", {.may_change = true, .is_listening = false}, count);
  EXPECT_EQ(answers, 0);
  requests_.Handle(R"({"do":"run_start","name":"mission"})",
                   {.may_change = true, .is_listening = false}, count);
  EXPECT_EQ(life_->recorder().runs().open().name, "mission");
  EXPECT_TRUE(life_->Await([&] { return answers == 1; }));  // `count` must not outlive this
}

TEST_F(LocalRequestsTest, StatusHoldsForAMomentButNoLongerThanTheNextChange) {
  const Json first = Ask(R"({"do":"status"})");
  EXPECT_EQ(first["run"]["name"].AsText(), "idle");
  EXPECT_TRUE(Ask(R"({"do":"run_start","name":"mission"})")["ok"].AsBool());
  EXPECT_EQ(Ask(R"({"do":"status"})")["run"]["name"].AsText(), "mission");
  const double uptime = first["uptime_s"].AsDouble();
  clock_.SetBoot(At(uptime + 0.05));
  EXPECT_EQ(Ask(R"({"do":"status"})")["uptime_s"].AsDouble(), uptime);
  clock_.SetBoot(At(uptime + 0.2));
  EXPECT_GT(Ask(R"({"do":"status"})")["uptime_s"].AsDouble(), uptime);
}

TEST_F(LocalRequestsTest, ValueThatIsTooOldIsNotListedAsIfItHeld) {
  const ChannelId rail = life_->Add(kPower, "GPU");
  life_->feed().Say(14, {Value(Number(rail), 1500)});
  life_->TickAt(17);
  const auto series = [&] { return Ask(R"({"do":"status"})")["series"].items().at(Number(rail)); };
  EXPECT_EQ(series()["value"].AsDouble(), 1.5);
  life_->TickAt(18);
  EXPECT_TRUE(series()["value"].is_null());
  EXPECT_EQ(series()["why"].AsText(), "stale");
  EXPECT_EQ(series()["age_s"].AsDouble(), 4.0);
  const Json status = Ask(R"({"do":"status"})");
  EXPECT_EQ(status["sources"].items().at(1)["state"].AsText(), "silent");
}

TEST_F(LocalRequestsTest, ManyEventsAtOnceAreAllStoredInOrder) {
  std::vector<std::int64_t> stored;
  for (int i = 0; i < 500; ++i) {
    requests_.Handle(
        R"({"do":"event","kind":"x"})", {.may_change = true},
        [&](const std::string& text) { stored.push_back((*Json::Parse(text))["stored"].AsInt()); });
  }
  EXPECT_TRUE(life_->Await([&] { return stored.size() == 500; }));
  for (std::size_t i = 1; i < stored.size(); ++i)
    EXPECT_EQ(stored[i], stored[i - 1] + 1);
}

}  // namespace
}  // namespace tacho
