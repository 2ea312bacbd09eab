// What a user is told who typed something that does not exist, or asked for help.
#include "cli/usage.h"

#include <algorithm>
#include <string>

#include "cli/help.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

TEST(ExplainNoCommand, NamesTheNearestWord) {
  struct {
    const char* group;
    std::vector<std::string> words;
    const char* message;
  } const cases[] = {
      {"", {"robtos"}, "There is no command 'robtos' of `tacho`. Did you mean 'robots'?"},
      {"run", {"shwo"}, "There is no command 'shwo' of `tacho run`. Did you mean 'show'?"},
      {"local run",
       {"strat"},
       "There is no command 'strat' of `tacho local run`. Did you mean "
       "'start'?"},
      {"", {"incidents"}, "There is no command 'incidents' of `tacho`."},
      {"",
       {"--colour", "never"},
       "There is no option '--colour' of `tacho`. Did you mean "
       "'--color'?"},
      {"local run", {}, "`tacho local run` needs a command: start, stop."},
  };
  for (const auto& [group, words, message] : cases) {
    const Status status = ExplainNoCommand(group, words, AllCommands());
    EXPECT_EQ(status.code(), Code::kInvalid);
    EXPECT_EQ(status.message(), message);
  }
}

TEST(ExplainExtra, NamesTheNearestOption) {
  const Command& check = CommandNamed("check");
  EXPECT_EQ(ExplainExtra(check, {"--strict-margn"}).message(),
            "There is no option '--strict-margn' of `tacho check`. Did you mean "
            "'--strict-margin'?");
  EXPECT_EQ(ExplainExtra(check, {"json", "--ouptut=x"}).message(),
            "There is no option '--ouptut' of `tacho check`. Did you mean '--output'?");
}

TEST(ExplainExtra, SaysHowManyWordsACommandTakes) {
  EXPECT_EQ(ExplainExtra(CommandNamed("check"), {"more"}).message(),
            "`tacho check` has no use for 'more': it takes 1 argument.");
}

TEST(ExplainExtra, AsksForDashesBeforeAProgram) {
  const Command& exec = CommandNamed("run exec");
  EXPECT_EQ(ExplainExtra(exec, {"ls", "-l"}).message(),
            "Write -- before 'ls', so that no word of it is taken for one of `tacho run exec`.");
  EXPECT_EQ(ExplainExtra(exec, {"--anywy", "ls"}).message(),
            "There is no option '--anywy' of `tacho run exec`. Did you mean '--anyway'?");
  EXPECT_NE(HelpOfCommand(exec).find("Usage: tacho run exec [OPTIONS] -- COMMAND...\n"),
            std::string::npos);
}

TEST(IsInGroup, GoesByWholeWords) {
  EXPECT_TRUE(IsInGroup(CommandNamed("run show"), "run"));
  EXPECT_TRUE(IsInGroup(CommandNamed("run show"), ""));
  EXPECT_FALSE(IsInGroup(CommandNamed("runs"), "run"));
}

TEST(WithHelpAsOption, TakesTheWordHelpForTheOption) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(WithHelpAsOption({"help"}), (Words{"--help"}));
  EXPECT_EQ(WithHelpAsOption({"help", "local", "run", "start"}),
            (Words{"local", "run", "start", "--help"}));
  EXPECT_EQ(WithHelpAsOption({"local", "run", "start", "help"}),
            (Words{"local", "run", "start", "help"}));
  EXPECT_EQ(WithHelpAsOption({}), Words{});
}

TEST(Help, OfTheProgramListsItsCommands) {
  const Command* commands[] = {&CommandNamed("check"), &CommandNamed("local run start")};
  ExpectGolden("help.txt", HelpOfGroup("", commands));
}

TEST(Help, OfAGroupListsItsCommandsOnly) {
  const std::string help = HelpOfGroup("local", AllCommands());
  EXPECT_NE(help.find("local run start"), std::string::npos);
  EXPECT_EQ(help.find("robots  "), std::string::npos);
}

TEST(Help, OfACommandShowsHowItIsCalled) {
  ExpectGolden("help_runs.txt", HelpOfCommand(CommandNamed("runs")));
  ExpectGolden("help_local_run_start.txt", HelpOfCommand(CommandNamed("local run start")));
}

TEST(Help, OfEachCommandHasItsArgumentsOptionsAndExamples) {
  for (const Command* command : AllCommands()) {
    const std::string help = HelpOfCommand(*command);
    for (const ArgumentDef& argument : command->arguments) {
      EXPECT_NE(help.find(argument.help), std::string::npos) << command->path;
    }
    for (const OptionDef& option : command->options) {
      EXPECT_NE(help.find("--" + std::string(option.name)), std::string::npos) << command->path;
      EXPECT_NE(help.find(option.help), std::string::npos) << command->path;
    }
    EXPECT_NE(help.find("tacho " + std::string(command->path), help.find("Examples:")),
              std::string::npos)
        << command->path;
  }
}

}  // namespace
}  // namespace tacho
