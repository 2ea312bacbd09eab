// "budget_try": what a text of budgets would have said of past runs. Nothing of it is kept.
#include <array>
#include <fmt/format.h>
#include <map>

#include "server/query.h"

namespace tacho {
namespace {

constexpr std::int64_t kMostRuns = 1000;
constexpr std::size_t kLongestText = 256 << 10;
constexpr std::array kVerdicts = {BudgetVerdict::kPass, BudgetVerdict::kMarginal,
                                  BudgetVerdict::kInvalid, BudgetVerdict::kNoData,
                                  BudgetVerdict::kFail};

// How often each verdict was given.
class Tally {
 public:
  void Add(BudgetVerdict verdict) { ++counts_[static_cast<std::size_t>(verdict)]; }
  void AddTo(Json& object) const {
    for (const BudgetVerdict verdict : kVerdicts) {
      object.Set(std::string(NameOf(verdict)), counts_[static_cast<std::size_t>(verdict)]);
    }
  }

 private:
  std::array<std::int64_t, kVerdicts.size()> counts_{};
};

// Of one budget over all runs: in each by the worst of its series.
struct TriedBudget {
  Tally tally;
  std::int64_t not_for = 0;
};

class Trial {
 public:
  Trial(Evaluator& evaluator, const std::vector<Budget>& budgets)
      : evaluator_(evaluator), budgets_(budgets) {}

  Status Add(const RunView& run) {
    const auto now = evaluator_.StandingOf(run);
    if (!now.ok()) return *now.error();
    const auto tried = evaluator_.Evaluate(run, budgets_);
    if (!tried.ok()) return *tried.error();
    std::map<std::string, BudgetVerdict> worst;
    Json broken(Json::Array{});
    for (const Judgement& judgement : tried->judgements) {
      BudgetVerdict& verdict = worst.try_emplace(judgement.budget, judgement.verdict).first->second;
      verdict = std::max(verdict, judgement.verdict);
      if (judgement.verdict != BudgetVerdict::kPass) broken.Push(VerdictOf(judgement));
    }
    for (const auto& [budget, verdict] : worst)
      by_budget_[budget].tally.Add(verdict);
    for (const SkippedBudget& skipped : tried->skipped)
      ++by_budget_[skipped.budget].not_for;
    all_.Add(tried->verdict);
    runs_.Push(Json::Object{{"run", RunOf(run, *now)},
                            {"verdict", NameOf(tried->verdict)},
                            {"budgets", std::move(broken)}});
    return {};
  }

  Json Answer(bool has_more) && {
    Json verdicts(Json::Object{});
    all_.AddTo(verdicts);
    Json budgets(Json::Array{});
    for (const Budget& budget : budgets_) {
      const TriedBudget& tried = by_budget_[budget.name];
      Json one(Json::Object{{"budget", budget.name}});
      tried.tally.AddTo(one);
      one.Set("not_for", tried.not_for);
      budgets.Push(std::move(one));
    }
    return Json::Object{{"mistakes", Json::Array{}},
                        {"verdicts", std::move(verdicts)},
                        {"budgets", std::move(budgets)},
                        {"runs", std::move(runs_)},
                        {"more", has_more}};
  }

 private:
  Evaluator& evaluator_;
  const std::vector<Budget>& budgets_;
  Tally all_;
  std::map<std::string, TriedBudget> by_budget_;
  Json runs_{Json::Array{}};
};

// A line each. They are the answer, not its failure: a failure's sentence is short on the wire.
Json MistakesOf(const Status& why) {
  Json mistakes(Json::Array{});
  const std::string& text = why.message();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    mistakes.Push(text.substr(at, end - at));
    at = end + 1;
  }
  return Json::Object{{"mistakes", std::move(mistakes)}};
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string text = arguments.Text("text", "");
  const std::string file = arguments.Text("file", "budgets.toml");
  const RunFilter filter = arguments.Runs(kMostRuns);
  TACHO_TRY(arguments.Finish());
  if (text.size() > kLongestText) {
    return Status(Code::kInvalid, fmt::format("the budgets have {} bytes, {} are allowed",
                                              text.size(), kLongestText));
  }
  const auto budgets = ParseBudgets(text, file);
  if (!budgets.ok()) return MistakesOf(*budgets.error());
  const auto list = RunBook(context.store).List(filter);
  if (!list.ok()) return *list.error();
  Trial trial(context.evaluator, *budgets);
  for (const RunView& run : list->runs)
    TACHO_TRY(trial.Add(run));
  return std::move(trial).Answer(list->has_more);
}

}  // namespace

extern constinit const Query kBudgetTryQuery{"budget_try", &Answer};

}  // namespace tacho
