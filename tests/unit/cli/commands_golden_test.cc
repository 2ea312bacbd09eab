// What each command prints for a canned answer, in each form, as golden files keep it.
#include <string>

#include "tests/unit/cli/cli_fixture.h"

namespace tacho {
namespace {

struct GoldenCase {
  std::string name;      // of the golden files
  std::string command;   // "run show"
  std::string question;  // "run"; "local" for the recorder
  std::string answer;    // file in answers/
  std::vector<std::pair<std::string, std::string>> given;
};

void PrintTo(const GoldenCase& golden, std::ostream* out) {
  *out << golden.name;
}

class CommandGolden : public CliTest, public testing::WithParamInterface<GoldenCase> {
 protected:
  Printed InForm(const Style& style) {
    const GoldenCase& golden = GetParam();
    if (golden.question == "local") recorder_answer_ = Canned(golden.answer);
    if (golden.question != "local") fleet_.Answer(golden.question, Canned(golden.answer));
    context_.style = style;
    return Tacho(golden.command, golden.given);
  }
};

TEST_P(CommandGolden, PrintsATableOnATerminal) {
  ExpectGolden(GetParam().name + ".table.txt", InForm({.width = 100}).All());
}

TEST_P(CommandGolden, FitsANarrowTerminal) {
  ExpectGolden(GetParam().name + ".narrow.txt", InForm({.width = 60}).All());
}

TEST_P(CommandGolden, PrintsTabSeparatedRowsInAPipe) {
  ExpectGolden(GetParam().name + ".tsv.txt", InForm({.format = Format::kTsv}).All());
}

TEST_P(CommandGolden, PrintsJson) {
  ExpectGolden(GetParam().name + ".json.txt", InForm({.format = Format::kJson}).All());
}

INSTANTIATE_TEST_SUITE_P(
    All, CommandGolden,
    testing::Values(
        GoldenCase{"robots", "robots", "robots", "robots", {}},
        GoldenCase{"runs", "runs", "runs", "runs", {{"since", "2d"}}},
        GoldenCase{"run_show", "run show", "run", "run", {{"run", "rb12/118/4"}}},
        GoldenCase{"check_fail", "check", "check", "check_fail", {{"run", "rb12@latest"}}},
        GoldenCase{"series", "series", "series", "series", {{"of", "rb12/118/4"}}},
        GoldenCase{"budget_list", "budget list", "budgets", "budgets", {}},
        GoldenCase{"events", "events", "events", "events", {{"since", "2d"}}},
        GoldenCase{"boots", "boots", "boots", "boots", {}},
        GoldenCase{"robot_retire", "robot retire", "roster", "roster", {{"robot", "rb07"}}},
        GoldenCase{"local_status", "local status", "local", "status", {}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tacho
