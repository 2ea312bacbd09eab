// Who may speak for a robot: one table of what happens, step by step, and what the server answers.
//
//   STREAM calls as BOOT [of ROBOT] [in FROM TO]   "welcome" or why not; then who was cut for it
//   STREAM sends                                   "acked", or "unheard" where nobody listens
//   STREAM greets again                            the answer to a second Hello on one stream
//   STREAM leaves                                  "gone"
//   MINUTES pass                                   "-"
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/server_world.h"

namespace tacho {
namespace {

struct Step {
  std::string happens;
  std::string answer;
};
struct Rule {
  const char* name;
  std::vector<Step> steps;
};

const char* const kTwoMachines = "denied: two machines call themselves rb12: quarantined";

// The robots' end of the table: streams and boots by the names that the rows give them.
class Stage {
 public:
  std::string Play(const std::string& happens) {
    std::istringstream words(happens);
    std::string who;
    std::string does;
    words >> who >> does;
    if (does == "calls") return Calls(who, words);
    if (does == "sends") return Sends(who);
    if (does == "greets") return Greets(who);
    if (does == "leaves") return Leaves(who);
    if (does == "pass") return Pass(std::stoi(who));
    ADD_FAILURE() << "the table says nothing that can be done: " << happens;
    return "";
  }

 private:
  struct Line {
    std::shared_ptr<FakeRobotStream> stream;
    Hello hello;
    bool has_ended = false;
  };

  static std::string WhyOf(const Status& why) {
    switch (why.code()) {
      case Code::kDenied:
        return "denied: " + why.message();
      case Code::kUnsupported:
        return "unsupported: " + why.message();
      case Code::kInvalid:
        return "invalid: " + why.message();
      default:
        return "ended: " + why.message();
    }
  }

  std::string Calls(const std::string& who, std::istringstream& words) {
    std::string boot;
    std::string robot = "rb12";
    std::string word;
    words >> word >> boot;
    Hello hello = ServerWorld::HelloOf(robot, MadeBootId(static_cast<std::uint8_t>(boot[0])));
    while (words >> word) {
      if (word == "of") words >> hello.robot;
      if (word == "in") words >> hello.protocol_oldest >> hello.protocol_newest;
    }
    lines_[who] = {world_.Call(hello), hello};
    return AnswerTo(who) + NewlyCut(who);
  }
  std::string AnswerTo(const std::string& who) {
    Line& line = lines_[who];
    if (const auto end = line.stream->end()) {
      line.has_ended = true;
      return WhyOf(*end);
    }
    const auto welcome = line.stream->welcome();
    if (!welcome) return "nothing";
    return welcome->protocol == 1 ? "welcome" : "welcome in another protocol";
  }
  std::string NewlyCut(const std::string& but) {
    std::string cut;
    for (auto& [name, line] : lines_) {
      if (name == but || line.has_ended || !line.stream->end()) continue;
      line.has_ended = true;
      cut += "; " + name + " is cut";
    }
    return cut;
  }
  std::string Greets(const std::string& who) {
    world_.ingest().OnHello(lines_[who].stream, lines_[who].hello, "");
    world_.Settle();
    return AnswerTo(who);
  }
  std::string Sends(const std::string& who) {
    Line& line = lines_[who];
    const auto seed = static_cast<std::uint8_t>(line.hello.boot.bytes[0]);
    MadeBoot& boot = boots_.try_emplace(seed, seed).first->second;
    const std::size_t before = line.stream->acks().size();
    world_.Send(*line.stream, {boot.Happened("x", "y", At(1))});
    return line.stream->acks().size() > before ? "acked" : "unheard";
  }
  std::string Leaves(const std::string& who) {
    world_.ingest().OnGone(*lines_[who].stream);
    lines_[who].has_ended = true;
    return "gone";
  }
  std::string Pass(int minutes) {
    const auto time = std::chrono::minutes(minutes);
    const ClockPair now = world_.clock.Pair();
    world_.clock.SetBoot(now.boot + time);
    world_.clock.SetWall(now.wall + time);
    return "-";
  }

  TempFolder folder_;
  ServerWorld world_{folder_.path()};
  std::map<std::string, Line> lines_;
  std::map<std::uint8_t, MadeBoot> boots_;
};

class StreamRules : public testing::TestWithParam<Rule> {};

TEST_P(StreamRules, Hold) {
  Stage stage;
  for (const Step& step : GetParam().steps) {
    EXPECT_EQ(stage.Play(step.happens), step.answer) << "when " << step.happens;
  }
}

const std::vector<Rule> kRules = {
    {"TheNewestHelloWins",
     {{"s1 calls as A", "welcome"},
      {"s1 sends", "acked"},
      {"s2 calls as A", "welcome; s1 is cut"},
      {"s1 sends", "unheard"},
      {"s2 sends", "acked"},
      {"s1 leaves", "gone"},
      {"s2 sends", "acked"}}},
    {"OfOneStreamTheSecondHelloEndsIt",
     {{"s1 calls as A", "welcome"}, {"s1 greets again", "invalid: said hello twice"}}},
    {"AHalfOpenStreamOfTheSameBootIsNoSecondMachine",
     {{"s1 calls as A", "welcome"},
      {"s2 calls as A", "welcome; s1 is cut"},
      {"s3 calls as A", "welcome; s2 is cut"},
      {"s4 calls as A", "welcome; s3 is cut"},
      {"s5 calls as A", "welcome; s4 is cut"},
      {"s1 sends", "unheard"},
      {"s5 sends", "acked"}}},
    {"ARobotThatRestartsAgainAndAgainIsNoSecondMachine",
     {{"s1 calls as A", "welcome"},
      {"s2 calls as B", "welcome; s1 is cut"},
      {"s3 calls as C", "welcome; s2 is cut"},
      {"s4 calls as D", "welcome; s3 is cut"},
      {"s5 calls as E", "welcome; s4 is cut"},
      {"s6 calls as F", "welcome; s5 is cut"},
      {"s6 sends", "acked"}}},
    {"WhatABrownoutLeftHalfOpenIsUnheardAndNoSecondMachine",
     {{"s1 calls as A", "welcome"},
      {"s2 calls as B", "welcome; s1 is cut"},
      {"s1 sends", "unheard"},
      {"s1 sends", "unheard"},
      {"s1 sends", "unheard"},
      {"s1 leaves", "gone"},
      {"s3 calls as B", "welcome; s2 is cut"},
      {"s3 sends", "acked"}}},
    {"ADisplacedBootThatSpeaksAgainAndAgainQuarantinesTheName",
     {{"s1 calls as A", "welcome"},
      {"s2 calls as B", "welcome; s1 is cut"},
      {"s3 calls as A", "welcome; s2 is cut"},
      {"s4 calls as B", "welcome; s3 is cut"},
      {"s5 calls as A", std::string(kTwoMachines) + "; s4 is cut"},
      {"s4 sends", "unheard"},
      {"s5 sends", "unheard"},
      {"s6 calls as B", kTwoMachines},
      {"s7 calls as C", kTwoMachines},
      {"59 pass", "-"},
      {"s8 calls as B", kTwoMachines},
      {"1 pass", "-"},
      {"s9 calls as B", "welcome"},
      {"s9 sends", "acked"}}},
    {"DisplacedBootsThatComeBackRarelyAreBorne",
     {{"s1 calls as A", "welcome"},
      {"s2 calls as B", "welcome; s1 is cut"},
      {"s3 calls as A", "welcome; s2 is cut"},
      {"11 pass", "-"},
      {"s4 calls as B", "welcome; s3 is cut"},
      {"11 pass", "-"},
      {"s5 calls as A", "welcome; s4 is cut"},
      {"s5 sends", "acked"}}},
    {"AQuarantineIsOfOneNameOnly",
     {{"other calls as X of rb13", "welcome"},
      {"s1 calls as A", "welcome"},
      {"s2 calls as B", "welcome; s1 is cut"},
      {"s3 calls as A", "welcome; s2 is cut"},
      {"s4 calls as B", "welcome; s3 is cut"},
      {"s5 calls as A", std::string(kTwoMachines) + "; s4 is cut"},
      {"other sends", "acked"}}},
    {"TheRangeOfProtocolsMustHoldOurs",
     {{"old calls as A in 1 1", "welcome"},
      {"newer calls as A in 1 7", "welcome; old is cut"},
      {"newest calls as A in 2 7",
       "unsupported: the robot speaks protocol 2 to 7, this server 1 to 1"},
      {"none calls as A in 0 0",
       "unsupported: the robot speaks protocol 0 to 0, this server 1 to 1"},
      {"newer sends", "acked"}}},
};

INSTANTIATE_TEST_SUITE_P(Server, StreamRules, testing::ValuesIn(kRules),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace tacho
