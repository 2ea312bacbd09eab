// Programs in the foreground: found as a shell finds them, ended as a shell tells it.
#include "cli/program.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

class ProgramTest : public testing::Test {
 protected:
  ProgramTest() { sigprocmask(SIG_SETMASK, nullptr, &before_); }
  ~ProgramTest() override { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  static int StatusOf(const std::string& script) {
    const auto status = RunProgram("/bin/sh", {"sh", "-c", script, ""}, environ);
    EXPECT_TRUE(status.ok());
    return status.ok() ? *status : -1;
  }
  std::filesystem::path Make(const std::string& name, std::filesystem::perms mode) {
    const auto file = folder_.path() / name;
    std::ofstream(file) << "no program at all\n";
    std::filesystem::permissions(file, mode);
    return file;
  }

  TempFolder folder_;
  sigset_t before_{};
};

TEST_F(ProgramTest, EndsWithItsOwnStatus) {
  EXPECT_EQ(StatusOf("exit 0"), 0);
  EXPECT_EQ(StatusOf("exit 3"), 3);
}

TEST_F(ProgramTest, EndsWithTheSignalThatEndedIt) {
  EXPECT_EQ(StatusOf("kill -TERM $$"), 128 + SIGTERM);
  EXPECT_EQ(StatusOf("kill -KILL $$"), 128 + SIGKILL);
}

TEST_F(ProgramTest, GetsTheSignalsThatWeGet) {
  for (const char* signal : {"INT", "TERM", "HUP"}) {
    EXPECT_EQ(StatusOf(std::string("trap 'exit 7' ") + signal + "; kill -" + signal +
                       " $PPID; while :; do sleep 0.01; done"),
              7)
        << signal;
  }
}

TEST_F(ProgramTest, StartsWithTheSignalsOpenThatWereOpen) {
  EXPECT_EQ(StatusOf("kill -HUP $$; exit 0"), 128 + SIGHUP);
}

TEST_F(ProgramTest, KeepsEmptyWordsAndOddOnes) {
  const auto status = RunProgram(
      "/bin/sh",
      {"sh", "-c", R"([ $# = 2 ] && [ "$1" = "" ] && [ "$2" = "[a,b]" ])", "0", "", "[a,b]"},
      environ);
  ASSERT_TRUE(status.ok());
  EXPECT_EQ(*status, 0);
}

TEST_F(ProgramTest, IsFoundInTheFoldersOfThePath) {
  const auto found = FindProgram("sh", "/nowhere::/bin");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, "/bin/sh");
  EXPECT_EQ(*FindProgram("/bin/sh", ""), "/bin/sh");
}

TEST_F(ProgramTest, ThatIsNotThereIsNotFound) {
  EXPECT_EQ(FindProgram("no-such-program", "/bin").error()->code(), Code::kNotFound);
  EXPECT_EQ(FindProgram("/bin/no-such-program", "").error()->message(),
            "'/bin/no-such-program' cannot be run: No such file or directory.");
  EXPECT_EQ(FindProgram("", "/bin").error()->code(), Code::kNotFound);
}

TEST_F(ProgramTest, ThatMayNotBeRunIsDenied) {
  using enum std::filesystem::perms;
  Make("plain", owner_read | owner_write);
  EXPECT_EQ(FindProgram("plain", folder_.path().string()).error()->code(), Code::kDenied);
  EXPECT_EQ(FindProgram("/tmp", "").error()->code(), Code::kDenied);
}

TEST_F(ProgramTest, ThatTheKernelCannotReadDoesNotStart) {
  const std::string file = Make("odd", std::filesystem::perms::owner_all).string();
  const auto status = RunProgram(file, {file}, environ);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error()->code(), Code::kDenied);
}

}  // namespace
}  // namespace tacho
