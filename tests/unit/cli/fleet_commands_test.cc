// What `tacho events`, `boots` and `robot` ask, and how they end.
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class FleetCommands : public CliTest {
 protected:
  // The arguments of the last question.
  std::string Asked() const {
    return fleet_.asked().empty() ? "" : fleet_.asked().back().arguments.Dump();
  }
  Json OneRobot() const {
    return Json::Object{{"robot", "rb12"},
                        {"state", "live"},
                        {"last_contact_wall_ns", kNow},
                        {"clock_trust", "ntp"},
                        {"lost_records", 0}};
  }
};

TEST_F(FleetCommands, EventsAskForWhatTheOptionsSay) {
  fleet_.Answer("events", Canned("events"));
  Tacho("events", {{"robot", "rb1*"},
                   {"kind", "sensor_*"},
                   {"severity", "warning"},
                   {"since", "2026-11-28T00:00"},
                   {"limit", "7"}});
  EXPECT_EQ(Asked(), R"({"robot":"rb1*","kind":"sensor_*","severity":"warning",)"
                     R"("since_wall_ns":1795824000000000000,"limit":7})");
}

TEST_F(FleetCommands, EventsRefuseASeverityThatIsNoneBeforeTheyAsk) {
  const Printed printed = Tacho("events", {{"severity", "bad"}});
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_NE(printed.err.find("info, warning or error, not 'bad'"), std::string::npos);
  EXPECT_TRUE(fleet_.asked().empty());
}

TEST_F(FleetCommands, EndWithThreeWhereNoRobotMatches) {
  fleet_.Answer("events", Json(Json::Object{{"events", Json::Array{}}, {"robots", Json::Array{}}}));
  fleet_.Answer("boots", Json(Json::Object{{"boots", Json::Array{}}, {"robots", 0}}));
  fleet_.Answer("roster", Status(Code::kNotFound, "there is no robot nosuch"));
  context_.style.format = Format::kTsv;
  for (const char* command : {"events", "boots", "robot expect"}) {
    const Printed printed = Tacho(command, {{"robot", "nosuch"}});
    EXPECT_EQ(printed.exit_code, 3) << command;
    EXPECT_NE(printed.err.find("nosuch"), std::string::npos) << printed.err;
  }
}

// No event is good news only of robots that were heard of: the coverage says of which.
TEST_F(FleetCommands, EndWithZeroWhereNothingHappened) {
  fleet_.Answer("events",
                Json(Json::Object{{"events", Json::Array{}}, {"robots", Json::Array{OneRobot()}}}));
  const Printed printed = Tacho("events", {{"since", "2h"}, {"severity", "error"}});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_NE(printed.out.find("No event since 2026-11-28 10:00:00 UTC matches --severity error."),
            std::string::npos)
      << printed.out;
  EXPECT_NE(printed.out.find("; asked: rb12"), std::string::npos) << printed.out;
}

TEST_F(FleetCommands, SayThatNotAllEventsWereLookedAt) {
  fleet_.Answer("events", Json(Json::Object{{"events", Json::Array{}},
                                            {"is_whole", false},
                                            {"robots", Json::Array{OneRobot()}}}));
  EXPECT_NE(Tacho("events").All().find("the oldest are not counted"), std::string::npos);
}

TEST_F(FleetCommands, RobotsAreAddedWithWhatIsSaidOfThem) {
  fleet_.Answer("roster", Canned("roster"));
  Tacho("robot add", {{"robot", "rb40"}, {"label", "site=M1"}, {"expected", "true"}});
  EXPECT_EQ(Asked(), R"({"add":true,"expected":true,"labels":{"site":"M1"},"robot":"rb40"})");
  Tacho("robot add", {{"robot", "rb40"}});
  EXPECT_EQ(Asked(), R"({"add":true,"robot":"rb40"})");
}

TEST_F(FleetCommands, RobotsAreExpectedAndRetiredAndBack) {
  fleet_.Answer("roster", Canned("roster"));
  Tacho("robot expect", {{"robot", "rb12"}});
  EXPECT_EQ(Asked(), R"({"expected":true,"robot":"rb12"})");
  Tacho("robot expect", {{"robot", "rb12"}, {"off", "true"}});
  EXPECT_EQ(Asked(), R"({"expected":false,"robot":"rb12"})");
  Tacho("robot retire", {{"robot", "rb12"}});
  EXPECT_EQ(Asked(), R"({"retired":true,"robot":"rb12"})");
  Tacho("robot retire", {{"robot", "rb12"}, {"undo", "true"}});
  EXPECT_EQ(Asked(), R"({"retired":false,"robot":"rb12"})");
}

TEST_F(FleetCommands, LabelsArePutOnAndTakenOff) {
  fleet_.Answer("roster", Canned("roster"));
  Tacho("robot label", {{"robot", "rb12"}, {"label", "site=M1"}, {"label", "bay-"}});
  EXPECT_EQ(Asked(), R"({"labels":{"site":"M1","bay":null},"robot":"rb12"})");
  // A value may end in a dash.
  Tacho("robot label", {{"robot", "rb12"}, {"label", "site=M-"}});
  EXPECT_EQ(Asked(), R"({"labels":{"site":"M-"},"robot":"rb12"})");
}

TEST_F(FleetCommands, RefuseLabelsThatAreNone) {
  for (const Given& given :
       {Given{{"robot", "rb12"}, {"label", "site"}}, Given{{"robot", "rb12"}, {"label", "-"}},
        Given{{"robot", "rb12"}, {"label", "a=1"}, {"label", "a-"}}, Given{{"robot", "rb12"}}}) {
    EXPECT_EQ(Tacho("robot label", given).exit_code, 2);
  }
  EXPECT_TRUE(fleet_.asked().empty());
}

TEST_F(FleetCommands, EndWithFourWhereTheServerDoesNotLetUsChange) {
  fleet_.Answer("roster", Status(Code::kDenied, "bob may look and not change"));
  const Printed printed = Tacho("robot retire", {{"robot", "rb12"}});
  EXPECT_EQ(printed.exit_code, 4);
  EXPECT_NE(printed.err.find("bob may look and not change"), std::string::npos);
}

}  // namespace
}  // namespace tacho
