// `tacho budget try FILE`: what a file of budgets would have said of past runs.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/budget_words.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/fleet_question.h"
#include "cli/run_filter.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/verdict.h"
#include "cli/when.h"
#include "common/text_file.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {
    {{.name = "file", .placeholder = "FILE", .help = "a budgets.toml"}}};
constexpr std::array<OptionDef, 6> kOptions = {{
    kRunRobotOption,
    kRunNameOption,
    kSinceOption,
    kUntilOption,
    kRunLimitOption,
    {.name = "section",
     .placeholder = "NAME",
     .help = "only this one: runs or budgets",
     .choices = "runs budgets"},
}};
constexpr std::array<const char*, 5> kVerdicts = {"FAIL", "NO_DATA", "INVALID", "MARGINAL", "PASS"};

// "board power (p95 31 W, limit <= 30 W)" of the worst budgets.
std::string WhyText(const Json& tried) {
  constexpr std::size_t kMostNamed = 2;
  const VerdictRank verdict = ParseVerdict(tried["verdict"].AsText());
  std::string text;
  std::size_t found = 0;
  for (const JudgedBudget& budget : ByBudget(tried["budgets"].items())) {
    if (budget.worst != verdict || ++found > kMostNamed) continue;
    text += (found > 1 ? ", " : "") + Describe(budget);
  }
  if (found > kMostNamed) text += fmt::format(" and {} more", found - kMostNamed);
  return text;
}

Section RunSection(const Json& answer, const std::string& none) {
  Section section{.tag = "run", .if_empty = none};
  section.table.columns = {{.name = "run"},
                           {.name = "would_be"},
                           {.name = "is_now"},
                           {.name = "state", .rank = 2},
                           {.name = "opened", .rank = 3},
                           {.name = "coverage", .rank = 1, .is_right = true},
                           {.name = "why", .is_elastic = true}};
  for (const Json& tried : answer["runs"].items()) {
    const Json& run = tried["run"];
    section.table.rows.push_back({WordCell(run["run"]), VerdictCell(tried["verdict"]),
                                  VerdictCell(run["verdict"]), WordCell(run["state"]),
                                  TimeCell(run["opened_wall_ns"], run["clock_trust"].AsText()),
                                  ShareCell(run["coverage"]), TextCell(WhyText(tried))});
  }
  return section;
}

Section BudgetTableSection(const Json& answer) {
  Section section{.tag = "budget", .title = "budgets", .if_empty = "The file has no budget."};
  section.table.columns = {{.name = "budget", .is_elastic = true}};
  for (const char* verdict : kVerdicts)
    section.table.columns.push_back({.name = verdict, .is_right = true});
  section.table.columns.push_back({.name = "not_for", .is_right = true});
  for (const Json& budget : answer["budgets"].items()) {
    std::vector<TableCell> row = {WordCell(budget["budget"])};
    for (const char* verdict : kVerdicts) {
      row.push_back(CountCell(budget[verdict]));
      const bool is_some = budget[verdict].AsInt() > 0;
      row.back().tone = is_some ? ToneOf(ParseVerdict(verdict)) : Tone::kDim;
    }
    row.push_back(CountCell(budget["not_for"]));
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

// "Of 12 runs 2 would be FAIL, 1 NO_DATA, 0 INVALID, 0 MARGINAL, 9 PASS."
std::string Headline(const Json& answer) {
  std::string text = fmt::format("Of {}", CountOf(answer["runs"].items().size(), "run"));
  std::string_view lead = " ";
  for (const char* verdict : kVerdicts) {
    const bool is_first = verdict == kVerdicts.front();
    text += fmt::format("{}{}{} {}", lead, answer["verdicts"][verdict].AsInt(),
                        is_first ? " would be" : "", verdict);
    lead = ", ";
  }
  return text + '.';
}

// A line each.
Status MistakesOf(const Json& answer) {
  std::string text;
  for (const Json& mistake : answer["mistakes"].items())
    text += (text.empty() ? "" : "\n") + mistake.AsText();
  return {Code::kInvalid, text};
}

// " of --robot 'rb1*'", as far as they were given.
std::string FilterText(const CommandArguments& arguments) {
  std::string text;
  for (const char* filter : kRunFilters) {
    if (arguments.Has(filter)) text += fmt::format(" of --{} '{}'", filter, arguments.Text(filter));
  }
  return text;
}

Result<AnswerPage> PageOf(const Json& answer, const Window& window,
                          const CommandArguments& arguments) {
  const std::string only = arguments.Text("section");
  const std::string filter = FilterText(arguments);
  const std::string none = fmt::format("There is no run {}{}.", window.Describe(), filter);
  AnswerPage page;
  if (!filter.empty() && answer["runs"].items().empty()) page.exit_code = kExitNotFound;
  page.json = answer;
  page.headline = Headline(answer);
  if (only.empty() || only == "runs") page.sections.push_back(RunSection(answer, none));
  if (only.empty() || only == "budgets") page.sections.push_back(BudgetTableSection(answer));
  if (page.sections.empty()) {
    return Status(Code::kInvalid, fmt::format("--section takes runs or budgets, not '{}'.", only));
  }
  page.coverage = fmt::format("{} {}; nothing of it is kept",
                              CountOf(answer["runs"].items().size(), "run"), window.Describe());
  if (answer["more"].AsBool()) page.coverage += "; there are more runs, see --limit";
  return page;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  constexpr std::int64_t kMostRuns = 1000;
  const std::string file = arguments.Text("file");
  auto text = ReadTextFile(file);
  if (!text.ok()) return Status(Code::kInvalid, text.error()->message());
  const auto window = ParseWindow(arguments, context.now);
  if (!window.ok()) return *window.error();
  const auto limit = arguments.Int("limit", 100, {1, kMostRuns});
  if (!limit.ok()) return *limit.error();
  Json question = Json::Object{{"text", *std::move(text)}, {"file", file}, {"limit", *limit}};
  AddRunFilter(arguments, question);
  window->AddTo(question);
  auto answer = AskFleet(context, "budget_try", question);
  if (!answer.ok()) return std::move(answer).status();
  if (!(*answer)["mistakes"].items().empty()) return MistakesOf(*answer);
  return PageOf(*answer, *window, arguments);
}

}  // namespace

extern constinit const Command kBudgetTryCommand{
    .path = "budget try",
    .summary = "judge past runs by a file of budgets, without keeping anything",
    .details =
        "The server judges the runs it has by the file and forgets it again; IS NOW is the verdict "
        "by the budgets in force.\nExits 0 whatever the verdicts are, 3 where --robot or --name "
        "match no run, and 2 with every mistake and its line\nwhere the file has any.",
    .examples =
        "tacho budget try budgets.toml --since 7d\n"
        "tacho budget try budgets.toml --robot 'rb1*' --section runs | awk '$2 == \"FAIL\"'",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
