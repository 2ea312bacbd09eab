// `tacho runs`: the runs of the fleet, newest first.
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/fleet_question.h"
#include "cli/run_filter.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/verdict.h"
#include "cli/when.h"

namespace tacho {
namespace {

constexpr std::int64_t kDefaultLimit = 100;

constexpr std::array<OptionDef, 6> kOptions = {{
    kRunRobotOption,
    kRunNameOption,
    kSinceOption,
    kUntilOption,
    kRunLimitOption,
    {.name = "idle", .help = "the time between runs too"},
}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "run"},
      {.name = "name", .rank = 4, .is_elastic = true},
      {.name = "state", .rank = 2},
      {.name = "opened", .rank = 1},
      {.name = "duration", .rank = 5, .is_right = true},
      {.name = "coverage", .rank = 3, .is_right = true},
      {.name = "verdict"},
      {.name = "reason", .rank = 6, .is_elastic = true},
      {.name = "labels", .rank = 7, .is_elastic = true},
      {.name = "robot", .where = Where::kDataOnly},
      {.name = "closed", .where = Where::kDataOnly},
      {.name = "clock", .where = Where::kDataOnly},
  };
  return kColumns;
}

TableCell StateCell(const Json& run) {
  TableCell cell = WordCell(run["state"]);
  if (cell.raw == "unclean") cell.tone = Tone::kWarn;
  return cell;
}

std::vector<TableCell> Row(const Json& run) {
  const std::string trust = run["clock_trust"].AsText();
  return {WordCell(run["run"]),
          WordCell(run["name"]),
          StateCell(run),
          TimeCell(run["opened_wall_ns"], trust),
          DurationCell(run["duration_s"]),
          ShareCell(run["coverage"]),
          VerdictCell(run["verdict"]),
          WordCell(run["reason"]),
          LabelsCell(run["labels"]),
          WordCell(run["robot"]),
          TimeCell(run["closed_wall_ns"], trust),
          WordCell(run["clock_trust"])};
}

std::string Coverage(const Json::Array& runs, const Window& window) {
  std::size_t whole = 0;
  std::size_t judged = 0;
  std::size_t estimated = 0;
  for (const Json& run : runs) {
    if (run["coverage"].AsDouble() >= 1) ++whole;
    if (ParseVerdict(run["verdict"].AsText()) != VerdictRank::kNotJudged) ++judged;
    if (IsEstimate(run["clock_trust"].AsText())) ++estimated;
  }
  std::string text = fmt::format("{} {}; {} judged, {} covered in full",
                                 CountOf(runs.size(), "run"), window.Describe(), judged, whole);
  if (estimated > 0) {
    text += fmt::format("; ~ marks the robot's own clock, of {}", CountOf(estimated, "run"));
  }
  return text;
}

Result<Json> QuestionOf(const CommandArguments& arguments, const Window& window) {
  Json question{Json::Object{}};
  AddRunFilter(arguments, question);
  window.AddTo(question);
  auto limit = arguments.Int("limit", kDefaultLimit, {1, 100'000});
  if (!limit.ok()) return std::move(limit).status();
  question.Set("limit", *limit);
  question.Set("idle", arguments.Has("idle"));
  return question;
}

// " matches --robot 'rb1*'"; empty where all runs were asked for.
std::string Asked(const CommandArguments& arguments) {
  std::string text;
  for (const char* name : kRunFilters) {
    if (!arguments.Has(name)) continue;
    text += fmt::format("{} --{} {}", text.empty() ? " matches" : "", name,
                        ShellWord(arguments.Text(name)));
  }
  return text;
}

AnswerPage PageOf(const Json& answer, const Window& window, const std::string& asked) {
  const Json::Array& runs = answer["runs"].items();
  AnswerPage page;
  page.json = runs;
  Section& section = page.sections.emplace_back();
  section.table.columns = Columns();
  section.if_empty = asked.empty() ? fmt::format("There is no run {}.", window.Describe())
                                   : fmt::format("No run {}{}.", window.Describe(), asked);
  if (runs.empty() && !asked.empty()) page.exit_code = kExitNotFound;
  for (const Json& run : runs) {
    section.table.rows.push_back(Row(run));
  }
  page.coverage = Coverage(runs, window);
  if (answer["more"].AsBool()) {
    page.warnings.emplace_back("There are older runs than these; a larger --limit shows them.");
  }
  if (!runs.empty()) {
    const std::string newest = ShellWord(runs.front()["run"].AsText());
    page.next = {"tacho run show " + newest, "tacho check " + newest};
  }
  return page;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto window = ParseWindow(arguments, context.now);
  if (!window.ok()) return std::move(window).status();
  auto question = QuestionOf(arguments, *window);
  if (!question.ok()) return std::move(question).status();
  auto answer = AskFleet(context, "runs", *question);
  if (!answer.ok()) return std::move(answer).status();
  return PageOf(*answer, *window, Asked(arguments));
}

}  // namespace

extern constinit const Command kRunsCommand{
    .path = "runs",
    .summary = "list the runs of the fleet, newest first",
    .details =
        "A run that ended without a word is unclean. COVERAGE is the share of what should "
        "have been measured.\nTimes are UTC; ~ marks a robot's own clock that nobody "
        "vouches for.\nExits 3 where no run matches --robot or --name.",
    .examples =
        "tacho runs                             # the newest 100\n"
        "tacho runs --since 2h --robot 'rb1*'   # of some robots, of two hours\n"
        "tacho runs --since yesterday --until today\n"
        "tacho runs --name 'mission*' | cut -f1,7",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
