// `local status` where no recorder runs: what is left in its spool, and that it is not running.
#include <string>

#include "tests/support/spool_world.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class DeadSpool : public CliTest {
 protected:
  void FillSpool() {
    SpoolConfig config;
    config.folder = "/spool";
    SpoolWorld world(config, disk_);
    world.Start();
    for (int i = 0; i < 3; ++i) {
      world.Append(Tier::kSummaries);
    }
    EXPECT_TRUE(world.Sync().ok());
  }
};

TEST_F(DeadSpool, IsListedUnderTheSentenceThatNoRecorderRuns) {
  FillSpool();
  const Printed printed = Tacho("local status", {{"spool", "/spool"}});
  EXPECT_EQ(printed.exit_code, 5);
  EXPECT_EQ(printed.out.rfind("The recorder is not running here.\n", 0), 0U) << printed.out;
  EXPECT_NE(printed.out.find("summaries"), std::string::npos) << printed.out;
  EXPECT_NE(printed.out.find("nothing is being measured now"), std::string::npos) << printed.out;
}

TEST_F(DeadSpool, SaysOnStderrThatNoRecorderRunsWhereStdoutIsData) {
  FillSpool();
  context_.style = {.format = Format::kTsv};
  const Printed printed = Tacho("local status", {{"spool", "/spool"}});
  EXPECT_EQ(printed.exit_code, 5);
  EXPECT_EQ(printed.err.rfind("The recorder is not running here.", 0), 0U) << printed.err;
  EXPECT_NE(printed.out.find("\tsummaries\t1\t3\t"), std::string::npos) << printed.out;
}

TEST_F(DeadSpool, ThatIsNotThereLeavesTheSentenceAlone) {
  const Printed printed = Tacho("local status", {{"spool", "/nowhere"}});
  EXPECT_EQ(printed.exit_code, 5);
  EXPECT_EQ(printed.out, "");
  EXPECT_EQ(printed.err, "tacho: The recorder is not running here.\n");
}

TEST_F(DeadSpool, IsNotReadWhereTheRecorderAnswersOrRefuses) {
  FillSpool();
  recorder_answer_ = Status(Code::kDenied, "The socket may not be opened.");
  const Printed printed = Tacho("local status", {{"spool", "/spool"}});
  EXPECT_EQ(printed.exit_code, 4);
  EXPECT_EQ(printed.out, "");
}

}  // namespace
}  // namespace tacho
