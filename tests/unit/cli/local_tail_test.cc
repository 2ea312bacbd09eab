// `tacho local tail`: a line for what changed, and none for what did not.
#include <deque>
#include <memory>
#include <string>

#include "cli/status_changes.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class LocalTail : public CliTest {
 protected:
  // Gives the answers of the script, one a look, then none.
  LocalTail() {
    context_.connect_recorder = [this]() -> Result<std::unique_ptr<RecorderClient>> {
      Result<Json> answer = Status(Code::kUnavailable, "The recorder is not running here.");
      if (!script_.empty()) {
        answer = std::move(script_.front());
        script_.pop_front();
      }
      return std::unique_ptr<RecorderClient>(
          std::make_unique<FakeRecorder>(answer, recorder_asked_));
    };
    context_.pause = [this](Nanos time) { paused_ += time; };
  }

  static Json Change(Json status, const std::string& key, Json value) {
    status.Set(key, std::move(value));
    return status;
  }
  static Json Reads(Json value, Json why) {
    return Json::Array{Json::Object{{"metric", "power_rail"},
                                    {"instance", "VDD_IN"},
                                    {"unit", "W"},
                                    {"value", std::move(value)},
                                    {"why", std::move(why)}}};
  }

  std::deque<Result<Json>> script_;
  Nanos paused_{0};
  const Json status_ = Canned("status");
};

TEST_F(LocalTail, PrintsAllOnceThenOnlyWhatChanged) {
  script_ = {Change(status_, "series", Reads(12.5, Json())),
             Change(status_, "series", Reads(12.5, Json())),
             Change(status_, "series", Reads(13.0, Json())),
             Change(status_, "series", Reads(Json(), "stale"))};
  ExpectGolden("local_tail.table.txt", Tacho("local tail", {{"count", "4"}}).All());
  EXPECT_EQ(paused_, std::chrono::seconds(3));
}

TEST_F(LocalTail, PrintsALineOfJsonEach) {
  context_.style.format = Format::kJson;
  script_ = {Change(status_, "series", Reads(0, Json())),
             Change(status_, "series", Reads(Json(), "gated"))};
  EXPECT_EQ(Tacho("local tail", {{"count", "2"}}).out,
            R"({"wall_ns":1795867200000000000,"clock_trust":"ntp","what":"value",)"
            R"("metric":"power_rail","instance":"VDD_IN","value":0,"unit":"W","why":null})"
            "\n"
            R"({"wall_ns":1795867200000000000,"clock_trust":"ntp","what":"value",)"
            R"("metric":"power_rail","instance":"VDD_IN","value":null,"unit":"W","why":"gated"})"
            "\n");
}

TEST_F(LocalTail, PrintsOneHeaderOfCsv) {
  context_.style.format = Format::kCsv;
  script_ = {Change(status_, "series", Reads(1, Json())),
             Change(status_, "series", Reads(2, Json()))};
  EXPECT_EQ(Tacho("local tail", {{"count", "2"}}).out,
            "time,what,metric,instance,value,why,unit\n"
            "2026-11-28T12:00:00Z,value,power_rail,VDD_IN,1,,W\n"
            "2026-11-28T12:00:00Z,value,power_rail,VDD_IN,2,,W\n");
}

TEST_F(LocalTail, ChoosesSeriesByMetricOrMetricAndInstance) {
  for (const char* pattern : {"thermal*", "*/gpu-thermal", "thermal_zone_temperature/gpu*"}) {
    script_ = {status_};
    context_.style.format = Format::kTsv;
    EXPECT_EQ(Tacho("local tail", {{"count", "1"}, {"series", pattern}}).out,
              "2026-11-28T12:00:00Z\tvalue\tthermal_zone_temperature\tgpu-thermal\t71.25\t-\tC\n")
        << pattern;
  }
}

TEST_F(LocalTail, EndsWithThreeWhereNoSeriesMatches) {
  script_ = {status_};
  const Printed printed = Tacho("local tail", {{"series", "nosuch"}});
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_NE(printed.err.find("No series matches --series nosuch."), std::string::npos);
}

TEST_F(LocalTail, RepeatsEverySeriesOnRequest) {
  script_ = {status_, status_};
  context_.style.format = Format::kTsv;
  const std::string out = Tacho("local tail", {{"count", "2"}, {"all", ""}}).out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);
}

TEST_F(LocalTail, EndsWithFiveWhenTheRecorderGoesAway) {
  script_ = {status_};
  const Printed printed = Tacho("local tail");
  EXPECT_EQ(printed.exit_code, 5);
  EXPECT_NE(printed.out, "");
  EXPECT_EQ(printed.err, "tacho: The recorder is not running here.\n");
}

TEST_F(LocalTail, WaitsForTheRecorderOnRequestAndSaysWhatItMissed) {
  const Status away(Code::kUnavailable, "Away.");
  script_ = {away, away, status_, away, status_};
  context_.style.format = Format::kTsv;
  const Printed printed = Tacho("local tail", {{"wait", ""}, {"count", "2"}});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_NE(printed.err.find("tacho: Away. Waiting for it.\n"), std::string::npos);
  EXPECT_NE(printed.out.find("\tevent\trecorder\t-\t-\tanswers again after 2 looks without"),
            std::string::npos)
      << printed.out;
  EXPECT_NE(printed.out.find("after 1 look without an answer"), std::string::npos);
}

TEST_F(LocalTail, TellsOfWhatHappened) {
  const std::pair<Json, const char*> cases[] = {
      {Change(status_, "run", Json::Object{{"number", 5}, {"name", "bench"}}),
       "118/5 'bench' is open"},
      {Change(status_, "clock", Json::Object{{"trust", "rtc"}}), "its trust is rtc"},
      {Change(status_, "sources",
              Json::Array{Json::Object{{"name", "thermal"}, {"state", "silent"}}}),
       "thermal is silent"},
      {Change(status_, "spool", Json::Object{{"ram_only", true}}), "the disk refuses"},
      {Change(status_, "spool", Json::Object{{"evicted", 7}}), "7 more evicted from the spool"},
      {Change(status_, "drops", Json::Object{{"ring", 90}}), "more dropped at ring"},
      {Change(status_, "boot_id", "another"), "the robot booted"},
  };
  EXPECT_TRUE(EventsBetween(status_, status_).empty());
  for (const auto& [after, detail] : cases) {
    const auto events = EventsBetween(status_, after);
    ASSERT_EQ(events.size(), 1u) << detail;
    EXPECT_NE(events[0]["detail"].AsText().find(detail), std::string::npos) << events[0].Dump();
  }
}

TEST_F(LocalTail, RefusesToLookWithoutPause) {
  for (const char* every : {"0s", "1ms", "2h", "x", ""}) {
    EXPECT_EQ(Tacho("local tail", {{"every", every}}).exit_code, 2) << every;
  }
  EXPECT_EQ(Tacho("local tail", {{"count", "0"}}).exit_code, 2);
}

TEST_F(LocalTail, HoldsForAStatusOfTheWrongShape) {
  script_ = {Json(Json::Object{{"ok", true}}), Json(Json::Object{{"series", 7}, {"sources", "x"}}),
             Json(Json::Object{{"series", Json::Array{1, "x", Json()}}})};
  EXPECT_EQ(Tacho("local tail", {{"count", "3"}}).exit_code, 0);
}

}  // namespace
}  // namespace tacho
