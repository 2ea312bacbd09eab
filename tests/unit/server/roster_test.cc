// The roster, changed while the server runs: by whom, to what, and what follows at once.
#include "server/roster.h"

#include <gtest/gtest.h>
#include <string>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

IngestConfig WithPeople() {
  IngestConfig config;
  config.admits_any = false;
  config.people = People({{"ada", Role::kAdmin}, {"bob", Role::kViewer}});
  return config;
}

class RosterTest : public testing::Test {
 protected:
  Json Change(Json::Object change, const std::string& who = "ada") {
    return world_.Ask("roster", Json(std::move(change)), who);
  }
  Code CodeOf(Json::Object change, const std::string& who = "ada") {
    const auto answer = world_.answers->Answer("roster", Json(std::move(change)), who);
    return answer.ok() ? Code::kOk : answer.error()->code();
  }
  std::string LastAudit() {
    const auto rows = world_.store->Audit(1);
    return rows->empty() ? "" : rows->front().who + ": " + rows->front().what;
  }
  Json Robot(const std::string& robot) {
    const Json list = world_.Ask("robots", Json::Object{{"robot", robot}});
    return list["robots"].items().empty() ? Json() : list["robots"].items()[0];
  }

  TempFolder folder_;
  ServerWorld world_{folder_.path(), {}, WithPeople()};
  MadeBoot boot_;
};

TEST_F(RosterTest, AdmitsARobotThatWasAdded) {
  EXPECT_EQ(world_.Call("rb40", boot_.id())->end()->code(), Code::kDenied);
  const Json answer = Change({{"robot", "rb40"},
                              {"add", true},
                              {"expected", true},
                              {"labels", Json::Object{{"site", "M1"}}}});
  EXPECT_TRUE(answer["on_roster"].AsBool());
  EXPECT_TRUE(answer["expected"].AsBool());
  EXPECT_EQ(LastAudit(), "ada: rb40 add expect site=M1");
  EXPECT_EQ(world_.store->Audit(9)->front().at, kTestDay);
  EXPECT_EQ(Robot("rb40")["labels"]["site"].AsText(), "M1");
  EXPECT_TRUE(world_.Call("rb40", boot_.id())->welcome().has_value());
  EXPECT_EQ(CodeOf({{"robot", "rb40"}, {"add", true}}), Code::kExists);
}

TEST_F(RosterTest, CutsTheOpenStreamOfARetiredRobotAndTakesNothingMore) {
  Change({{"robot", "rb40"}, {"add", true}});
  auto stream = world_.Call("rb40", boot_.id());
  world_.Send(*stream, {boot_.DictionaryRecord()});
  Change({{"robot", "rb40"}, {"retired", true}});
  ASSERT_TRUE(stream->end().has_value());
  EXPECT_EQ(stream->end()->code(), Code::kDenied);
  EXPECT_EQ(stream->end()->message(), "rb40 is retired");
  const std::size_t acks = stream->acks().size();
  world_.Send(*stream, {boot_.Seconds(1, 10)});
  EXPECT_EQ(stream->acks().size(), acks);
  EXPECT_EQ(Robot("rb40")["state"].AsText(), "retired");
  EXPECT_EQ(world_.Call("rb40", boot_.id())->end()->message(), "rb40 is retired");
  Change({{"robot", "rb40"}, {"retired", false}});
  EXPECT_TRUE(world_.Call("rb40", boot_.id())->welcome().has_value());
  EXPECT_EQ(LastAudit(), "ada: rb40 retire undo");
}

TEST_F(RosterTest, PutsLabelsOnAndTakesThemOff) {
  Change({{"robot", "rb40"}, {"add", true}, {"labels", Json::Object{{"a", "1"}, {"b", "2"}}}});
  Change({{"robot", "rb40"}, {"labels", Json::Object{{"a", "3"}, {"b", Json()}, {"c", "4"}}}});
  EXPECT_EQ(Robot("rb40")["labels"].Dump(), R"({"a":"3","c":"4"})");
  EXPECT_EQ(LastAudit(), "ada: rb40 a=3 b- c=4");
}

TEST_F(RosterTest, LeavesToTheConfigurationWhatItNames) {
  ASSERT_TRUE(world_.roster->UseFile({{"rb12", true, false, {{"site", "M1"}}}}).ok());
  const Json answer = Change({{"robot", "rb12"}, {"retired", true}});
  EXPECT_EQ(answer["error"].AsText(),
            "server.toml names rb12, and decides for it: change [robots.rb12] there and start the "
            "server again");
  EXPECT_EQ(CodeOf({{"robot", "rb12"}, {"add", true}}), Code::kExists);
  EXPECT_TRUE(world_.store->Audit(9)->empty());
}

TEST_F(RosterTest, KeepsWhatAPersonAddedWhenTheConfigurationIsReadAgain) {
  ASSERT_TRUE(world_.roster->UseFile({{"rb12", true, false, {{"site", "M1"}}}}).ok());
  Change({{"robot", "rb40"}, {"add", true}, {"expected", true}});
  ASSERT_TRUE(world_.roster->UseFile({}).ok());
  EXPECT_TRUE(Robot("rb40")["expected"].AsBool());
  // Whom the file no longer names is off the roster, and a person may say what it is.
  EXPECT_FALSE(Robot("rb12")["expected"].AsBool());
  EXPECT_EQ(Robot("rb12")["labels"].Dump(), "{}");
  EXPECT_EQ(world_.Call("rb12", boot_.id())->end()->code(), Code::kDenied);
  EXPECT_EQ(CodeOf({{"robot", "rb12"}, {"add", true}}), Code::kOk);
  // Whom a person added is the file's once it names it.
  ASSERT_TRUE(world_.roster->UseFile({{"rb40", false, true, {}}}).ok());
  EXPECT_EQ(Robot("rb40")["state"].AsText(), "retired");
}

TEST_F(RosterTest, RefusesWhatIsNoChangeOfARobot) {
  EXPECT_EQ(CodeOf({{"robot", "rb99"}, {"expected", true}}), Code::kNotFound);
  EXPECT_EQ(CodeOf({{"robot", "rb40"}}), Code::kInvalid);
  EXPECT_EQ(CodeOf({{"robot", "a b"}, {"add", true}}), Code::kInvalid);
  EXPECT_EQ(CodeOf({{"robot", "bob"}, {"add", true}}), Code::kInvalid);
  EXPECT_EQ(CodeOf({{"robot", "rb40"}, {"add", true}, {"labels", Json::Object{{"", "x"}}}}),
            Code::kInvalid);
  EXPECT_EQ(CodeOf({{"robot", "rb40"}, {"add", true}, {"labels", "site"}}), Code::kInvalid);
  EXPECT_TRUE(world_.store->Audit(9)->empty());
}

TEST_F(RosterTest, IsChangedByAdminsAndSeenByViewersAlone) {
  Change({{"robot", "rb40"}, {"add", true}});
  EXPECT_EQ(CodeOf({{"robot", "rb40"}, {"expected", true}}, "bob"), Code::kDenied);
  EXPECT_EQ(CodeOf({{"robot", "rb40"}, {"expected", true}}, "rb40"), Code::kDenied);
  EXPECT_FALSE(Robot("rb40")["expected"].AsBool());
  EXPECT_TRUE(world_.answers->Answer("robots", Json(), "bob").ok());
  for (const char* who : {"rb40", "eve", "(a certificate without a name)"}) {
    const auto answer = world_.answers->Answer("robots", Json(), who);
    ASSERT_FALSE(answer.ok()) << who;
    EXPECT_EQ(answer.error()->code(), Code::kDenied) << who;
  }
  // Nobody but this machine can make a plain connection.
  EXPECT_EQ(CodeOf({{"robot", "rb40"}, {"expected", true}}, ""), Code::kOk);
  EXPECT_EQ(LastAudit(), ": rb40 expect");
}

TEST_F(RosterTest, APersonsCertificateIsNoRobots) {
  Change({{"robot", "rb40"}, {"add", true}});
  const auto stream = world_.Call("ada", boot_.id(), 0, "ada");
  ASSERT_TRUE(stream->end().has_value());
  EXPECT_EQ(stream->end()->code(), Code::kDenied);
}

}  // namespace
}  // namespace tacho
