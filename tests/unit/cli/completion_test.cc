// The completion script, asked in a real bash what it would complete.
#include "cli/completion.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "cli/text.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class Completion : public CliTest {
 protected:
  Completion() {
    if (access("/bin/bash", X_OK) != 0) return;
    has_bash_ = true;
    std::ofstream(script_) << BashCompletion(AllCommands());
    // Stands for `tacho` where the script asks for names.
    std::ofstream(tacho_) << "#!/bin/sh\n"
                             "case $1 in\n"
                             "  robots) printf 'rb1\\tlive\\nrb2\\tlive\\n$(reboot)\\t-\\n' ;;\n"
                             "  runs) printf 'rb1/118/4\\tmission\\n' ;;\n"
                             "esac\n";
    std::filesystem::permissions(tacho_, std::filesystem::perms::owner_all);
  }
  void SetUp() override {
    if (!has_bash_) GTEST_SKIP() << "no bash here";
  }

  // What stands between the words, the last of which is at the cursor.
  std::string Complete(const std::vector<std::string>& words) {
    std::string typed = ShellWord(tacho_.string());
    for (const std::string& word : words)
      typed += ' ' + ShellWord(word);
    const std::string asked = "set -u; source " + ShellWord(script_.string()) + "; COMP_WORDS=(" +
                              typed + "); COMP_CWORD=" + std::to_string(words.size()) +
                              "; _tacho; echo ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}";
    const std::string command = "/bin/bash -c " + ShellWord(asked) + " 2>&1";
    // Bash is what is tested here.
    FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
    std::string printed;
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
      printed += static_cast<char>(c);
    pclose(pipe);
    if (printed.ends_with('\n')) printed.pop_back();
    return printed;
  }

  TempFolder folder_;
  std::filesystem::path script_ = folder_.path() / "completion.bash";
  std::filesystem::path tacho_ = folder_.path() / "tacho";
  bool has_bash_ = false;
};

TEST_F(Completion, NamesTheCommandsThatBeginSo) {
  EXPECT_EQ(Complete({"det"}), "detect");
  EXPECT_EQ(Complete({"run"}), "run runs");
  EXPECT_EQ(Complete({"local", "run", "s"}), "start stop");
  EXPECT_EQ(Complete({"help", "ver"}), "version");
  EXPECT_EQ(Complete({"nosuch"}), "");
}

TEST_F(Completion, NamesEveryCommand) {
  for (const Command* command : AllCommands()) {
    std::vector<std::string> words;
    std::string_view path = command->path;
    for (std::size_t blank = 0; (blank = path.find(' ')) != std::string_view::npos;) {
      words.emplace_back(path.substr(0, blank));
      path.remove_prefix(blank + 1);
    }
    words.emplace_back(path);
    EXPECT_NE((' ' + Complete(words) + ' ').find(' ' + std::string(path) + ' '), std::string::npos)
        << command->path;
  }
}

TEST_F(Completion, NamesTheOptionsOfACommandAndThoseOfAll) {
  EXPECT_EQ(Complete({"check", "rb1/118/4", "--s"}), "--strict-margin --server --socket");
  EXPECT_EQ(Complete({"runs", "--li"}), "--limit");
  EXPECT_EQ(Complete({"version", "--li"}), "");
}

TEST_F(Completion, NamesTheChoicesOfAnOption) {
  EXPECT_EQ(Complete({"robots", "-o", "j"}), "json jsonl");
  EXPECT_EQ(Complete({"robots", "--output", "=", "t"}), "table tsv");
  EXPECT_EQ(Complete({"run", "show", "rb1/118/4", "--section", "e"}), "events");
  EXPECT_EQ(Complete({"completion", ""}), "bash");
}

TEST_F(Completion, TakesNoValueForACommand) {
  EXPECT_EQ(Complete({"--server", "run", "det"}), "detect");
  EXPECT_EQ(Complete({"runs", "--since", ""}), "");
}

TEST_F(Completion, AsksTheServerForNamesAndTakesPlainOnesOnly) {
  EXPECT_EQ(Complete({"runs", "--robot", ""}), "rb1 rb2");
  EXPECT_EQ(Complete({"check", "rb1"}), "rb1/118/4 rb1@latest");
  EXPECT_EQ(Complete({"check", "rb1@latest", ""}), "");
}

TEST_F(Completion, NamesFilesWithBlanksWhole) {
  std::ofstream(folder_.path() / "my budgets.toml") << "\n";
  EXPECT_EQ(Complete({"budget", "try", (folder_.path() / "my").string()}),
            (folder_.path() / "my budgets.toml").string());
}

TEST_F(Completion, NamesProgramsBehindTheDashesOfExec) {
  EXPECT_NE((' ' + Complete({"run", "exec", "--", "bas"}) + ' ').find(" bash "), std::string::npos);
  EXPECT_EQ(Complete({"run", "exec", "--", "ls", script_.string()}), script_.string());
}

}  // namespace
}  // namespace tacho
