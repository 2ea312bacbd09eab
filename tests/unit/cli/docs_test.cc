// docs/cli.md tells of every command, and of the columns that programs may count on.
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

class CliPage : public CliTest {
 protected:
  std::string page_ = ReadText(std::filesystem::path(TACHO_SOURCE_DIR) / "docs/cli.md");

  // The header line of the command's csv.
  std::string Columns(std::string_view command, const Given& given) {
    context_.style = {.format = Format::kCsv};
    const std::string csv = Tacho(command, given).out;
    return csv.substr(0, csv.find('\n'));
  }
};

TEST_F(CliPage, HasAChapterWithAnExampleForEachCommand) {
  for (const Command* command : AllCommands()) {
    const std::string call = "tacho " + std::string(command->path);
    const std::size_t chapter = page_.find("\n## `" + call + "`\n");
    ASSERT_NE(chapter, std::string::npos) << call;
    const std::size_t next = page_.find("\n## ", chapter + 1);
    EXPECT_LT(page_.find("$ " + call, chapter), next) << call;
  }
}

TEST_F(CliPage, ListsTheColumnsInTheirOrder) {
  struct {
    const char* command;
    const char* question;
    const char* answer;
    const char* section;
  } const cases[] = {
      {"robots", "robots", "robots", nullptr},        {"runs", "runs", "runs", nullptr},
      {"check", "check", "check_fail", nullptr},      {"series", "series", "series", nullptr},
      {"run show", "run", "run", "series"},           {"run show", "run", "run", "events"},
      {"budget list", "budgets", "budgets", nullptr}, {"run show", "run", "run", "gaps"},
      {"events", "events", "events", nullptr},        {"boots", "boots", "boots", nullptr},
      {"robot add", "roster", "roster", nullptr},
  };
  for (const auto& [command, question, answer, section] : cases) {
    fleet_.Answer(question, Canned(answer));
    Given given = {{"run", "rb1/1/1"}, {"of", "rb1/1/1"}};
    if (section != nullptr) given.emplace_back("section", section);
    const std::string columns = Columns(command, given);
    EXPECT_NE(page_.find("`" + columns + "`"), std::string::npos) << command << ": " << columns;
  }
}

}  // namespace
}  // namespace tacho
