// Manual pages: one for each command, which man reads without a complaint.
#include "cli/man_page.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include "cli/text.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class ManPage : public CliTest {
 protected:
  // A man without troff behind it is a stub.
  static bool HasMan() {
    return access("/usr/bin/man", X_OK) == 0 && access("/usr/bin/troff", X_OK) == 0;
  }

  // What man has to say against a page.
  static std::string Complaints(const std::filesystem::path& page) {
    const std::string command = "LC_ALL=C MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z " +
                                ShellWord(page.string()) + " 2>&1 >/dev/null";
    // man is what is tested here.
    FILE* pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
    std::string printed;
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
      printed += static_cast<char>(c);
    pclose(pipe);
    return printed;
  }
  std::filesystem::path Save(const std::string& text) {
    const auto file = folder_.path() / "page.1";
    std::ofstream(file) << text;
    return file;
  }

  TempFolder folder_;
};

TEST_F(ManPage, IsThereForEveryCommand) {
  const std::string all = Tacho("man").out;
  for (const Command* command : AllCommands()) {
    const std::string name = ManNameOf(*command);
    const Printed page = Tacho("man", {{"page", name.substr(6)}});
    EXPECT_EQ(page.exit_code, 0) << name;
    EXPECT_EQ(Tacho("man", {{"page", name}}).out, page.out);
    EXPECT_EQ(page.out, ManPageOfCommand(*command, "1.2.3"));
    std::string shown = name;
    for (std::size_t at = 0; (at = shown.find('-', at)) != std::string::npos; at += 2)
      shown.insert(at, "\\");
    EXPECT_NE(all.find(".BR " + shown + " (1),"), std::string::npos) << shown;
  }
  EXPECT_EQ(Tacho("man", {{"page", "nosuch"}}).exit_code, 3);
}

TEST_F(ManPage, NamesEveryOptionOfItsCommand) {
  for (const Command* command : AllCommands()) {
    const std::string page = ManPageOfCommand(*command, "1");
    for (const OptionDef& option : command->options) {
      std::string name(option.name);
      for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2)
        name.insert(at, "\\");
      EXPECT_NE(page.find("\\-\\-" + name), std::string::npos) << command->path << ' ' << name;
    }
  }
}

TEST_F(ManPage, HasNothingThatManComplainsOf) {
  if (!HasMan()) GTEST_SKIP() << "no man here";
  EXPECT_EQ(Complaints(Save(ManPageOfProgram(AllCommands(), "1"))), "");
  for (const Command* command : AllCommands()) {
    EXPECT_EQ(Complaints(Save(ManPageOfCommand(*command, "1"))), "") << command->path;
  }
}

TEST_F(ManPage, ComplaintsWouldBeSeen) {
  if (!HasMan()) GTEST_SKIP() << "no man here";
  EXPECT_NE(Complaints(Save(".TH A 1\n.SH NAME\na \\- b\n.nosuchmacro\n")), "");
}

TEST_F(ManPage, OfEachProgramIsAsClean) {
  if (!HasMan()) GTEST_SKIP() << "no man here";
  const auto folder = std::filesystem::path(TACHO_SOURCE_DIR) / "docs/man";
  for (const char* name : {"tachod.8", "tacho-uplink.8", "tacho-server.8"}) {
    ASSERT_TRUE(std::filesystem::exists(folder / name)) << name;
    EXPECT_EQ(Complaints(folder / name), "") << name;
  }
}

TEST_F(ManPage, TakesNoWordForAnOrder) {
  static constexpr std::array<OptionDef, 1> kOptions = {
      {{.name = "x-y", .help = ".so /etc/passwd"}}};
  const Command command{.path = "odd",
                        .summary = "a \\ and a - b",
                        .details = "'quoted\n.dotted",
                        .examples = "tacho odd",
                        .arguments = {},
                        .options = kOptions,
                        .run = nullptr};
  const std::string page = ManPageOfCommand(command, "1");
  EXPECT_NE(page.find("\n\\&.so /etc/passwd\n"), std::string::npos) << page;
  EXPECT_NE(page.find("\\&'quoted\n\\&.dotted"), std::string::npos);
  EXPECT_NE(page.find("a \\e and a \\- b"), std::string::npos);
}

}  // namespace
}  // namespace tacho
