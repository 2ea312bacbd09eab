// `tacho check RUN`: the gate. Says whether a run kept its budgets, and exits by it.
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

#include "cli/command.h"
#include "cli/fleet_question.h"
#include "cli/run_name.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/verdict.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {{kRunArgument}};
constexpr std::array<OptionDef, 1> kOptions = {
    {{.name = "strict-margin", .help = "let MARGINAL exit 10 as well"}}};

// "a (p99 104 ms, limit <= 90 ms), b (...) and 3 more" of the budgets with this verdict.
std::string Named(const Json::Array& budgets, VerdictRank verdict) {
  constexpr std::size_t kMostNamed = 3;
  std::string text;
  std::size_t found = 0;
  for (const Json& budget : budgets) {
    if (ParseVerdict(budget["verdict"].AsText()) != verdict) continue;
    if (++found <= kMostNamed) text += (found > 1 ? ", " : "") + NameWithValue(budget);
  }
  if (found > kMostNamed) text += fmt::format(" and {} more", found - kMostNamed);
  return text;
}

std::size_t CountOf(const Json::Array& budgets, VerdictRank verdict) {
  std::size_t count = 0;
  for (const Json& budget : budgets) {
    if (ParseVerdict(budget["verdict"].AsText()) == verdict) ++count;
  }
  return count;
}

std::string_view SayingOf(VerdictRank verdict) {
  switch (verdict) {
    case VerdictRank::kFail:
      return "failed";
    case VerdictRank::kMarginal:
      return "too close to the limit to tell";
    case VerdictRank::kPass:
      return "kept";
    case VerdictRank::kNotJudged:
      break;
  }
  return "could not be judged";
}

// "1 of 3 budgets failed: gpu_temperature (max 97.5 C, limit <= 95 C); 1 could not be judged"
std::string Explanation(const Json::Array& budgets, VerdictRank verdict) {
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

std::string Coverage(const Json& run, const Json::Array& budgets) {
  const std::size_t judged = budgets.size() - CountOf(budgets, VerdictRank::kNotJudged);
  const TableCell share = ShareCell(run["coverage"]);
  std::string text =
      fmt::format("{} of {} budgets judged; {} of the run was measured", judged, budgets.size(),
                  share.is_absent ? "an unknown share" : share.shown);
  if (run["state"].AsText() == "open") text += "; the run is still open";
  if (run["state"].AsText() == "unclean") text += "; the run ended without a word";
  return text;
}

AnswerPage PageOf(const Json& answer, const std::string& asked, bool is_margin_strict) {
  const Json::Array& budgets = answer["budgets"].items();
  const std::string said = answer["verdict"].AsText();
  const VerdictRank verdict = WorstOf(said, budgets);
  const std::string run = answer["run"]["run"].AsText(asked);

  AnswerPage page;
  page.json = answer;
  page.headline =
      fmt::format("{} {}: {}.", WordOf(verdict, said), run, Explanation(budgets, verdict));
  page.headline_tone = ToneOf(verdict);
  page.sections.push_back(BudgetSection(budgets));
  page.coverage = Coverage(answer["run"], budgets);
  page.next = {"tacho run show " + ShellWord(run)};
  if (!budgets.empty()) {
    page.next.push_back(fmt::format("tacho series {} --metric {}", ShellWord(run),
                                    ShellWord(budgets.front()["metric"].AsText("*"))));
  }
  page.exit_code = CheckExitCode(verdict, is_margin_strict);
  return page;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto run = ParseRunName(arguments.Text("run"));
  if (!run.ok()) return std::move(run).status();
  auto answer = AskFleet(context, "check", Json::Object{{"run", *run}});
  if (!answer.ok()) return std::move(answer).status();
  return PageOf(*answer, *run, arguments.Has("strict-margin"));
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
