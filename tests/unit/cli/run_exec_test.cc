// `tacho run exec`: what it tells the recorder around a program, and how it ends.
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

// A recorder with one run, which may be away.
struct OneRunRecorder {
  bool is_there = true;
  std::int64_t number = 3;  // of the run that is open
  Json labels{Json::Object{}};
  std::vector<std::string> asked;

  Result<Json> Ask(const Json& request) {
    if (!is_there) return Status(Code::kUnavailable, "The recorder is not running here.");
    asked.push_back(request.Dump());
    const std::string what = request["do"].AsText();
    if (what == "run_start") labels = request["labels"];
    if (what == "run_start") ++number;
    const std::string run = "118/" + std::to_string(number);
    if (what == "status") {
      return Json(Json::Object{{"ok", true},
                               {"run", Json::Object{{"number", number}, {"labels", labels}}}});
    }
    return Json(Json::Object{{"ok", true}, {"stored", 9}, {"run", run}});
  }
};

class RunExec : public CliTest {
 protected:
  class Client final : public RecorderClient {
   public:
    explicit Client(OneRunRecorder& recorder) : recorder_(recorder) {}
    Result<Json> Ask(const Json& request) override { return recorder_.Ask(request); }

   private:
    OneRunRecorder& recorder_;
  };

  RunExec() {
    context_.connect_recorder = [this]() -> Result<std::unique_ptr<RecorderClient>> {
      if (recorder_.is_there) return std::unique_ptr<RecorderClient>(new Client(recorder_));
      return Status(Code::kUnavailable, "The recorder is not running here.");
    };
    context_.find_program = [this](const std::string& name) -> Result<std::string> {
      if (cannot_find_) return *cannot_find_;
      return "/bin/" + name;
    };
    context_.run_program = [this](const std::string& file, const std::vector<std::string>& words) {
      started_ = file;
      words_ = words;
      if (meanwhile_) meanwhile_();
      return ended_;
    };
  }

  Printed Exec(Given given = {}) {
    given.insert(given.end(), {{"command", "bench"}, {"command", "--password"}, {"command", "x"}});
    return Tacho("run exec", given);
  }

  OneRunRecorder recorder_;
  std::optional<Status> cannot_find_;
  Result<int> ended_ = 0;
  std::function<void()> meanwhile_;
  std::string started_;
  std::vector<std::string> words_;
};

TEST_F(RunExec, OpensARunRunsTheProgramAndClosesTheRun) {
  ended_ = 3;
  const Printed printed = Exec({{"label", "site=munich"}});
  EXPECT_EQ(printed.exit_code, 3);
  EXPECT_EQ(started_, "/bin/bench");
  EXPECT_EQ(words_, (std::vector<std::string>{"bench", "--password", "x"}));
  EXPECT_EQ(
      recorder_.asked,
      (std::vector<std::string>{
          R"({"do":"run_start","name":"bench","labels":{"site":"munich"}})", R"({"do":"status"})",
          R"({"do":"event","kind":"run_exec_ended","detail":"bench ended with 3",)"
          R"("severity":"warning"})",
          R"({"do":"run_stop"})"}));
}

TEST_F(RunExec, LeavesStdoutToTheProgram) {
  for (const Format format : {Format::kTable, Format::kTsv, Format::kCsv, Format::kJson}) {
    context_.style.format = format;
    const Printed printed = Exec();
    EXPECT_EQ(printed.exit_code, 0);
    EXPECT_EQ(printed.out, "");
    EXPECT_NE(printed.err.find("' is open.\n"), std::string::npos) << printed.err;
    EXPECT_NE(printed.err.find("is closed: bench ended with 0.\n"), std::string::npos);
  }
}

TEST_F(RunExec, TakesAnotherName) {
  Exec({{"name", "mission"}});
  EXPECT_EQ(recorder_.asked.front(), R"({"do":"run_start","name":"mission","labels":{}})");
}

TEST_F(RunExec, StartsNothingWhereTheRecorderIsAway) {
  recorder_.is_there = false;
  const Printed printed = Exec();
  EXPECT_EQ(printed.exit_code, 5);
  EXPECT_EQ(started_, "");
  EXPECT_NE(printed.err.find("Nothing was started."), std::string::npos) << printed.err;
}

TEST_F(RunExec, RunsUnmeasuredAnywayAndSaysSo) {
  recorder_.is_there = false;
  ended_ = 4;
  const Printed printed = Exec({{"anyway", ""}});
  EXPECT_EQ(printed.exit_code, 4);
  EXPECT_EQ(started_, "/bin/bench");
  EXPECT_NE(printed.err.find("tacho: NOT MEASURED: 'bench' runs outside any run.\n"),
            std::string::npos)
      << printed.err;
}

TEST_F(RunExec, OpensNoRunForAProgramThatIsNotThere) {
  cannot_find_ = Status(Code::kNotFound, "'bench' cannot be run: no such file.");
  EXPECT_EQ(Exec().exit_code, 127);
  cannot_find_ = Status(Code::kDenied, "'bench' cannot be run: permission denied.");
  EXPECT_EQ(Exec().exit_code, 126);
  EXPECT_TRUE(recorder_.asked.empty());
}

TEST_F(RunExec, ClosesTheRunOfAProgramThatDidNotStart) {
  ended_ = Status(Code::kDenied, "'bench' cannot be run: exec format error.");
  EXPECT_EQ(Exec().exit_code, 126);
  EXPECT_EQ(recorder_.asked.back(), R"({"do":"run_stop"})");
}

TEST_F(RunExec, KeepsTheProgramsStatusWhereTheEndCannotBeTold) {
  ended_ = 130;
  meanwhile_ = [this] { recorder_.is_there = false; };
  const Printed printed = Exec();
  EXPECT_EQ(printed.exit_code, 130);
  EXPECT_NE(printed.err.find("The end of run 118/4 could not be told: "), std::string::npos)
      << printed.err;
}

TEST_F(RunExec, LeavesARunAloneThatSomebodyElseOpened) {
  meanwhile_ = [this] { ++recorder_.number; };
  const Printed printed = Exec();
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(recorder_.asked.back(), R"({"do":"status"})");
  EXPECT_NE(printed.err.find("Run 118/4 was closed meanwhile, and not by us."), std::string::npos);
}

TEST_F(RunExec, ClosesTheRunThatWentOnAfterARestartOfTheRecorder) {
  meanwhile_ = [this] {
    ++recorder_.number;
    recorder_.labels = Json::Object{{"continues", "4"}};
  };
  EXPECT_NE(Exec().err.find("Run 118/5 is closed: bench ended with 0.\n"), std::string::npos);
}

TEST_F(RunExec, NeedsAProgram) {
  const Printed printed = Tacho("run exec");
  EXPECT_EQ(printed.exit_code, 2);
  EXPECT_NE(printed.err.find("COMMAND... is missing"), std::string::npos) << printed.err;
}

}  // namespace
}  // namespace tacho
