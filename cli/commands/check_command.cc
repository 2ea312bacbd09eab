// `tacho check RUN`: the gate. Says whether a run kept its budgets, and exits by it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "cli/budget_words.h"
#include "cli/command.h"
#include "cli/fleet_question.h"
#include "cli/run_name.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/verdict.h"

namespace tacho {
namespace {

// Longer than a second's way from the board to the store while all goes well, in seconds.
constexpr double kSurelyArrived = 30;

constexpr std::array<ArgumentDef, 1> kArguments = {{kRunArgument}};
constexpr std::array<OptionDef, 1> kOptions = {
    {{.name = "strict-margin", .help = "let MARGINAL exit 10 as well"}}};

using Budgets = std::vector<JudgedBudget>;

// "a (p99 104 ms, limit <= 90 ms), b (...) and 3 more" of the budgets with this verdict.
std::string Named(const Budgets& budgets, VerdictRank verdict) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  std::size_t found = 0;
  for (const JudgedBudget& budget : budgets) {
    if (budget.worst != verdict) continue;
    if (++found <= kMostNamed) text += (found > 1 ? ", " : "") + Describe(budget);
  }
  if (found > kMostNamed) text += fmt::format(" and {} more", found - kMostNamed);
  return text;
}

std::size_t CountOf(const Budgets& budgets, VerdictRank verdict) {
  return static_cast<std::size_t>(
      std::count_if(budgets.begin(), budgets.end(),
                    [verdict](const JudgedBudget& b) { return b.worst == verdict; }));
}

std::string_view SayingOf(VerdictRank verdict) {
  switch (verdict) {
    case VerdictRank::kFail:
      return "failed";
    case VerdictRank::kMarginal:
      return "neither kept nor broken for certain";
    case VerdictRank::kPass:
      return "kept";
    case VerdictRank::kNotJudged:
      break;
  }
  return "could not be judged";
}

// "1 of 3 budgets failed: gpu_temperature (max 97.5 C, limit <= 95 C); 1 could not be judged"
std::string Explanation(const Budgets& budgets, VerdictRank verdict) {
  if (budgets.empty()) return "no budget applies to this run, so nothing was judged";
  const std::size_t count = CountOf(budgets, verdict);
  if (count == 0) return "the server judges the run as a whole, though no single budget";
  if (verdict == VerdictRank::kPass) {
    return fmt::format("{} of {} budgets kept", count, budgets.size());
  }
  std::string text = fmt::format("{} of {} budgets {}: {}", count, budgets.size(),
                                 SayingOf(verdict), Named(budgets, verdict));
  const std::size_t not_judged = CountOf(budgets, VerdictRank::kNotJudged);
  if (verdict == VerdictRank::kFail && not_judged > 0) {
    text += fmt::format("; {} could not be judged", not_judged);
  }
  return text;
}

// The server's own word where it agrees (NO_DATA and INVALID are both "not judged").
std::string WordOf(VerdictRank verdict, const std::string& said) {
  switch (verdict) {
    case VerdictRank::kFail:
      return "FAIL";
    case VerdictRank::kMarginal:
      return "MARGINAL";
    case VerdictRank::kPass:
      return "PASS";
    case VerdictRank::kNotJudged:
      break;
  }
  const bool agrees = !said.empty() && ParseVerdict(said) == VerdictRank::kNotJudged;
  return agrees ? said : "NO_DATA";
}

// "; 2 budgets do not apply: a, b"
std::string SkippedText(const Json::Array& skipped) {
  if (skipped.empty()) return "";
  std::string names;
  for (const Json& one : skipped)
    names += (names.empty() ? "" : ", ") + one["budget"].AsText();
  return fmt::format("; {} {} not apply: {}", tacho::CountOf(skipped.size(), "budget"),
                     skipped.size() == 1 ? "does" : "do", names);
}

// How fresh what is known of an open run is, in seconds; 0 where nobody can tell.
double AgeOf(const Json& run, WallTime now) {
  if (run["state"].AsText() != "open" || !run["last_wall_ns"].is_number()) return 0;
  return static_cast<double>(Count(now) - run["last_wall_ns"].AsInt()) / 1e9;
}

// What speaks against the newest run known being the newest that was.
std::string NewerRunsText(const Json& answer) {
  std::string text;
  const double silent = answer["robot_silent_ns"].AsDouble() / 1e9;
  if (silent > 0) {
    text += fmt::format("; the robot has been silent for {}: newer runs may not have arrived",
                        FormatDuration(silent));
  }
  if (const std::int64_t lost = answer["lost_event_records"].AsInt(); lost > 0) {
    text +=
        fmt::format("; {} of its event records are missing: a newer run may be among them", lost);
  }
  return text;
}

std::string Coverage(const Json& answer, const Budgets& budgets, WallTime now) {
  const Json& run = answer["run"];
  const auto judged = std::count_if(budgets.begin(), budgets.end(),
                                    [](const JudgedBudget& b) { return b.is_whole; });
  const TableCell share = ShareCell(run["coverage"]);
  std::string text =
      fmt::format("{} of {} budgets judged; {} of the run was measured", judged, budgets.size(),
                  share.is_absent ? "an unknown share" : share.shown);
  if (run["state"].AsText() == "open") text += "; the run is still open";
  if (run["state"].AsText() == "unclean") text += "; the run ended without a word";
  if (run["is_opening_lost"].AsBool()) text += "; when it opened is not known";
  const std::string cut_off = run["labels"]["continues"].AsText();
  if (!cut_off.empty()) {
    text += fmt::format("; it goes on with run {} that was cut off: nothing between was recorded",
                        cut_off);
  }
  const double silent = answer["silent_ns"].AsDouble() / 1e9;
  const double age = AgeOf(run, now);
  if (silent > 0) {
    text += "; nothing came for the last " + FormatDuration(silent);
  } else if (age > kSurelyArrived) {
    text += "; its last reading is " + FormatDuration(age) + " old";
  }
  if (answer["throttling"].AsText() == "not measured") text += "; throttling was not measured";
  return text + SkippedText(answer["skipped"].items());
}

// Of the first budget that has the run's verdict.
std::string MetricOfInterest(const Budgets& budgets, VerdictRank verdict) {
  const auto found = std::find_if(budgets.begin(), budgets.end(),
                                  [verdict](const JudgedBudget& b) { return b.worst == verdict; });
  const JudgedBudget& budget = found == budgets.end() ? budgets.front() : *found;
  return (*budget.rows.front())["metric"].AsText("*");
}

AnswerPage PageOf(const Json& answer, const std::string& asked, bool is_margin_strict,
                  WallTime now) {
  const Json::Array& judgements = answer["budgets"].items();
  const Budgets budgets = ByBudget(judgements);
  const std::string said = answer["verdict"].AsText();
  const VerdictRank verdict = WorstOf(said, judgements);
  const std::string run = answer["run"]["run"].AsText(asked);

  AnswerPage page;
  page.json = answer;
  page.headline =
      fmt::format("{} {}: {}.", WordOf(verdict, said), run, Explanation(budgets, verdict));
  page.headline_tone = ToneOf(verdict);
  page.sections.push_back(BudgetSection(judgements));
  page.coverage = Coverage(answer, budgets, now);
  if (asked.ends_with("@latest")) page.coverage += NewerRunsText(answer);
  page.next = {"tacho run show " + ShellWord(run)};
  if (!budgets.empty()) {
    page.next.push_back(fmt::format("tacho series {} --metric {}", ShellWord(run),
                                    ShellWord(MetricOfInterest(budgets, verdict))));
  }
  page.exit_code = CheckExitCode(verdict, is_margin_strict);
  return page;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto run = ParseRunName(arguments.Text("run"));
  if (!run.ok()) return std::move(run).status();
  auto answer = AskFleet(context, "check", Json::Object{{"run", *run}});
  if (!answer.ok()) return std::move(answer).status();
  return PageOf(*answer, *run, arguments.Has("strict-margin"), context.now);
}

}  // namespace

extern constinit const Command kCheckCommand{
    .path = "check",
    .summary = "judge a run by its budgets; exits 0 when all are kept",
    .details =
        "Exit codes: 0 PASS, and MARGINAL (10 with --strict-margin); 10 FAIL; 11 NO_DATA, "
        "INVALID or not\ncomparable. Missing data is never a pass. The verdict's sentence "
        "is the first line on a terminal and\ngoes to stderr where stdout is data.",
    .examples =
        "tacho check rb12@latest                # the newest run\n"
        "tacho check rb12/118/4 --strict-margin || exit 1\n"
        "tacho check rb12@latest -o json | jq .verdict",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
