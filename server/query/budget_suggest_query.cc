// "budget_suggest": budgets learnt from runs that went well, as the text of a budgets.toml.
#include <fmt/format.h>
#include <set>

#include "common/glob.h"
#include "server/judge/suggestion_text.h"
#include "server/query.h"

namespace tacho {
namespace {

constexpr std::size_t kMostRuns = 200;

Result<RunList> RunsAsked(const QueryContext& context, const std::vector<std::string>& names,
                          const RunFilter& filter) {
  RunBook book(context.store);
  if (names.empty()) return book.List(filter);
  RunList list;
  std::set<RunKey> seen;
  for (const std::string& name : names) {
    auto run = book.Find(name);
    if (!run.ok()) return std::move(run).status();
    if (seen.insert(run->span.row.key).second) list.runs.push_back(*std::move(run));
  }
  return list;
}

std::string AskedText(const std::vector<std::string>& names, const RunFilter& filter) {
  if (names.empty()) return "runs of robots " + filter.robot;
  if (names.size() == 1) return names.front();
  return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

// Why nothing may be learnt from a run; empty where something may.
std::string WhyNotHealthy(const RunView& run, const Evaluation& evaluation,
                          const SuggestionRules& rules) {
  const RunFacts& facts = evaluation.facts;
  if (run.span.state == RunState::kOpen) return "it is still open";
  if (run.span.state != RunState::kClosed) return "it ended without a word";
  if (evaluation.verdict == BudgetVerdict::kFail) return "it is FAIL by the budgets of now";
  if (evaluation.has_throttled()) {
    return fmt::format("it was throttled ({})", facts.throttles.front());
  }
  if (!facts.clock_steps.empty()) return "the clock stepped inside it";
  if (facts.power_modes.size() > 1) return "its power mode changed";
  if (evaluation.coverage < rules.min_coverage) {
    return fmt::format("coverage {:.1f} %, {:.1f} % asked", 100 * evaluation.coverage,
                       100 * rules.min_coverage);
  }
  return "";
}

Json LeftOutOf(const std::vector<LeftOut>& left_out) {
  Json list(Json::Array{});
  for (const LeftOut& one : left_out)
    list.Push(Json::Object{{"what", one.what}, {"why", one.why}});
  return list;
}

Json SuggestedOf(const SuggestedBudget& suggested) {
  const Budget& budget = suggested.budget;
  return Json::Object{{"budget", budget.name},
                      {"metric", budget.metric},
                      {"instance", budget.instance},
                      {"statistic", NameOf(budget.statistic)},
                      {"limit", budget.limit.value},
                      {"comparison", budget.is_upper ? "<=" : ">="},
                      {"unit", SymbolOf(budget.limit)},
                      {"runs", static_cast<std::int64_t>(suggested.runs)},
                      {"lowest", suggested.lowest},
                      {"highest", suggested.highest},
                      {"coverage", suggested.least_coverage}};
}

// What there is to learn from, and what there is not.
struct Lessons {
  std::vector<LearntRun> learnt;
  std::vector<LeftOut> runs_left_out;
  std::set<LeftOut> series_left_out;
};

Result<Lessons> LearnFromAll(const QueryContext& context, const std::vector<RunView>& runs,
                             const std::string& metric, const SuggestionRules& rules) {
  Lessons lessons;
  for (const RunView& run : runs) {
    auto evaluation = context.evaluator.Evaluate(run);
    if (!evaluation.ok()) return *evaluation.error();
    std::string name = NameOfRun(run);
    if (std::string why = WhyNotHealthy(run, *evaluation, rules); !why.empty()) {
      lessons.runs_left_out.push_back({std::move(name), std::move(why)});
      continue;
    }
    std::erase_if(evaluation->series, [&metric](const JudgedSeries& one) {
      return !MatchesGlob(metric, one.key.metric);
    });
    LearntRun& learnt = lessons.learnt.emplace_back(
        LearnFrom(std::move(name), evaluation->facts, evaluation->series, lessons.series_left_out));
    learnt.is_throttling_known = evaluation->is_throttling_known;
  }
  return lessons;
}

// Where nothing is suggested, the runs alone say why.
void AddLeftOut(const Lessons& lessons, Suggestion& suggestion) {
  auto& left_out = suggestion.left_out;
  const bool has_any = !suggestion.budgets.empty();
  left_out.insert(left_out.begin(), lessons.runs_left_out.begin(), lessons.runs_left_out.end());
  if (!has_any) return;
  left_out.insert(left_out.end(), lessons.series_left_out.begin(), lessons.series_left_out.end());
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const auto names = arguments.Texts("runs");
  RunFilter filter;
  filter.robot = arguments.Text("robot", "*");
  filter.since = arguments.Wall("since_wall_ns");
  filter.until = arguments.Wall("until_wall_ns");
  filter.limit = kMostRuns;
  SuggestionRules rules;
  rules.margin = arguments.Number("margin", rules.margin, 0, 10);
  const std::string metric = arguments.Text("metric", "*");
  TACHO_TRY(arguments.Finish());
  if (names.size() > kMostRuns) {
    return Status(Code::kInvalid, fmt::format("{} runs are named, at most {} are looked at",
                                              names.size(), kMostRuns));
  }
  const auto list = RunsAsked(context, names, filter);
  if (!list.ok()) return *list.error();
  const auto lessons = LearnFromAll(context, list->runs, metric, rules);
  if (!lessons.ok()) return *lessons.error();
  Suggestion suggestion = SuggestBudgets(lessons->learnt, rules);
  AddLeftOut(*lessons, suggestion);
  const SuggestionSource source{AskedText(names, filter), list->runs.size()};
  Json text;
  if (!suggestion.budgets.empty()) text = TextOf(suggestion, rules, source);
  Json budgets(Json::Array{});
  for (const SuggestedBudget& suggested : suggestion.budgets)
    budgets.Push(SuggestedOf(suggested));
  return Json(Json::Object{{"text", std::move(text)},
                           {"runs_looked_at", static_cast<std::int64_t>(list->runs.size())},
                           {"runs_healthy", static_cast<std::int64_t>(lessons->learnt.size())},
                           {"runs_needed", static_cast<std::int64_t>(rules.min_runs)},
                           {"budgets", std::move(budgets)},
                           {"left_out", LeftOutOf(suggestion.left_out)},
                           {"more", list->has_more}});
}

}  // namespace

extern constinit const Query kBudgetSuggestQuery{"budget_suggest", &Answer};

}  // namespace tacho
