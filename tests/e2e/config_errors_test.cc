// Each daemon lists all mistakes of its file at once, with file and line, and ends with 2.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/e2e/programs.h"
#include "tests/support/temp_folder.h"

namespace tacho {
namespace {

struct Mistakes {
  const char* name;
  std::string program;
  std::string text;     // of the program's own file
  std::string budgets;  // of budgets.toml beside it
  std::string wrong;    // the file that the lines are of
  std::vector<int> lines;
};

class ConfigErrors : public testing::TestWithParam<Mistakes> {};

TEST_P(ConfigErrors, AreAllListedWithFileAndLine) {
  const Mistakes& mistakes = GetParam();
  const TempFolder folder;
  const auto config = folder.path() / "daemon.toml";
  std::string text = mistakes.text;
  for (std::size_t at; (at = text.find("FOLDER")) != std::string::npos;) {
    text.replace(at, 6, folder.path().string());
  }
  std::ofstream(config) << text;
  std::ofstream(folder.path() / "budgets.toml") << mistakes.budgets;
  ChildProgram daemon({Program::Path(mistakes.program), "--config", config.string()},
                      folder.path() / "log");
  EXPECT_EQ(daemon.AwaitExit(), 2);
  const std::string printed = daemon.Printed();
  std::size_t at = 0;
  for (const int line : mistakes.lines) {
    const std::string place =
        (folder.path() / mistakes.wrong).string() + ":" + std::to_string(line) + ": ";
    at = printed.find(place, at);
    ASSERT_NE(at, std::string::npos) << place << "is not in its order in\n" << printed;
    EXPECT_NE(printed.at(at + place.size()), '\n') << "a line without a sentence";
  }
}

const Mistakes kMistakes[] = {
    {"OfTheRecorder",
     "tachod",
     "colour = \"red\"\n[sampler]\nperiod = \"1 fortnight\"\n[spool]\nmax = 12\nsync = \"-1s\"\n"
     "[source.nonsense]\nenabled = false\n[local]\nsocket = true\n",
     "",
     "daemon.toml",
     {1, 3, 5, 6, 7, 10}},
    {"OfTheUplink",
     "tacho-uplink",
     "robot = \"a/b\"\nserver = \"example.com:1\"\nflush = \"soon\"\nflsh = \"1s\"\n[spool]\n"
     "folder = 1\n",
     "",
     "daemon.toml",
     {1, 3, 4, 6}},
    {"OfTheServer",
     "tacho-server",
     "listen = 7\nretention = \"-1d\"\nadmit = \"friends\"\n[limits]\nqueue = \"lots\"\nqueu = 1\n",
     "",
     "daemon.toml",
     {1, 2, 3, 5, 6}},
    {"OfTheBudgets",
     "tacho-server",
     "listen = \"127.0.0.1:0\"\ndata = \"FOLDER/server\"\nbudgets = \"FOLDER/budgets.toml\"\n",
     "[[budget]]\nname = \"a\"\nmetric = \"m\"\nstatistic = \"mode\"\nmax = \"1 C\"\n\n[[budget]]\n"
     "name = \"b\"\nmetric = \"m\"\nstatistic = \"max\"\nmax = \"hot\"\ncolour = 1\n",
     "budgets.toml",
     {4, 11, 12}},
    {"OfWhatIsNoTomlAtAll", "tachod", "[spool\n", "", "daemon.toml", {1}},
};

INSTANTIATE_TEST_SUITE_P(Listed, ConfigErrors, testing::ValuesIn(kMistakes),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace tacho
