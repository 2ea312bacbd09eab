#include "server/judge/judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "common/glob.h"
#include "server/judge/estimate.h"

namespace tacho {
namespace {

Judgement Blank(const Budget& budget, std::string instance) {
  Judgement judgement;
  judgement.budget = budget.name;
  judgement.metric = budget.metric;
  judgement.instance = std::move(instance);
  judgement.statistic = budget.statistic;
  judgement.held_for = budget.held_for;
  judgement.limit = budget.limit.value;
  judgement.is_upper = budget.is_upper;
  judgement.unit = SymbolOf(budget.limit);
  return judgement;
}

Judgement With(Judgement judgement, BudgetVerdict verdict, std::string reason) {
  judgement.verdict = verdict;
  judgement.reason = std::move(reason);
  return judgement;
}

// Why this run cannot be judged by this budget; empty where it can.
std::string InvalidityOf(const Budget& budget, const RunFacts& run) {
  if (!budget.power_mode.empty()) {
    if (run.power_modes.size() > 1) return "the power mode changed during the run";
    for (const std::string& mode : run.power_modes) {
      if (!MatchesGlob(budget.power_mode, mode)) {
        return fmt::format("the power mode is {}, the budget is for {}", mode, budget.power_mode);
      }
    }
  }
  if (!run.clock_steps.empty()) {
    return fmt::format("the clock stepped during the run ({})", run.clock_steps.front());
  }
  if (!run.throttles.empty() && !budget.holds_when_throttled) {
    return fmt::format("throttled during the run ({})", run.throttles.front());
  }
  return "";
}

// What the robot would have had to say of itself first; empty where it did.
std::string UnsaidOf(const Budget& budget, const RunFacts& run) {
  if (!budget.model.empty() && !run.model) return "the robot did not say its model";
  const bool is_unsaid = run.power_modes.empty() || run.has_unsaid_power_mode;
  if (!budget.power_mode.empty() && is_unsaid) return "the robot did not say its power mode";
  return "";
}

bool IsBare(Unit unit) {
  return unit == Unit::kNone || unit == Unit::kCount;
}

std::string_view WordFor(Unit unit) {
  if (IsBare(unit)) return "no unit";
  return unit == Unit::kRatio ? "%" : SymbolOf(unit);
}

// Whether what is limited has the limit's unit; a sentence if not.
std::string UnitMistake(const Budget& budget, const JudgedSeries& series) {
  const Unit have = series.key.unit;
  const Unit asked = budget.limit.unit;
  if (budget.statistic == Statistic::kIntegral) {
    if (have == Unit::kWatts && asked == Unit::kJoules) return "";
    return "an integral is judged of a power, with a limit in J or Wh";
  }
  if (have == asked || (IsBare(have) && IsBare(asked))) return "";
  return fmt::format("the limit is in {}, {} is in {}", WordFor(asked), series.key.metric,
                     WordFor(have));
}

// The two sides of a limit: does the whole interval keep it, does the whole interval break it?
Judgement AgainstLimit(const Budget& budget, Judgement judgement, const Estimate& estimate) {
  judgement.value = estimate.value;
  judgement.low = estimate.low;
  judgement.high = estimate.high;
  const auto keeps = [&](double value) {
    return budget.is_upper ? value <= budget.limit.value : value >= budget.limit.value;
  };
  if (!estimate.has_interval) {
    return With(std::move(judgement),
                keeps(estimate.value) ? BudgetVerdict::kPass : BudgetVerdict::kFail, "");
  }
  const auto& far = budget.is_upper ? estimate.high : estimate.low;
  const auto& near = budget.is_upper ? estimate.low : estimate.high;
  if (far && keeps(*far)) return With(std::move(judgement), BudgetVerdict::kPass, "");
  if (near && !keeps(*near)) return With(std::move(judgement), BudgetVerdict::kFail, "");
  if (!far && keeps(estimate.value)) {
    std::string few = fmt::format("{} readings are too few to bound {}", judgement.count,
                                  NameOf(budget.statistic));
    return With(std::move(judgement), BudgetVerdict::kMarginal, std::move(few));
  }
  return With(std::move(judgement), BudgetVerdict::kMarginal,
              "the limit lies within the 95 % interval");
}

// "99.9": a share that is not all never reads as all.
std::string Percent(double share) {
  return fmt::format("{:.1f}", share < 1 ? std::min(100 * share, 99.9) : 100 * share);
}

// ": 40 gated, 2 broken"; empty where no reading said why it was absent.
std::string AbsencesOf(const SeriesRollup& rollup) {
  std::string words;
  for (std::size_t why = 1; why < rollup.absent.size(); ++why) {
    if (rollup.absent[why] == 0) continue;
    words += fmt::format("{} {} {}", words.empty() ? ":" : ",", rollup.absent[why],
                         NameOf(static_cast<Why>(why)));
  }
  return words;
}

// Why there is too little for any word on the whole run; empty where there is enough.
std::string LackOf(const Budget& budget, const JudgedSeries& series) {
  const std::uint64_t count = series.rollup.present;
  std::string lack;
  if (count == 0) {
    lack = fmt::format("none of {} readings came", series.expected);
  } else if (count < static_cast<std::uint64_t>(budget.min_count)) {
    lack = fmt::format("{} readings, {} asked", count, budget.min_count);
  } else if (series.coverage() < budget.min_coverage) {
    lack = fmt::format("coverage {} %, {} % asked", Percent(series.coverage()),
                       Percent(budget.min_coverage));
  }
  return lack.empty() ? lack : lack + AbsencesOf(series.rollup);
}

// Whether more readings could only take the value further from what the limit allows.
bool OnlyWorsens(const Budget& budget, const JudgedSeries& series) {
  switch (budget.statistic) {
    case Statistic::kMax:
      return budget.is_upper;
    case Statistic::kMin:
      return !budget.is_upper;
    case Statistic::kIntegral:
      return budget.is_upper && series.rollup.min >= 0;
    default:
      return false;
  }
}

// With too little for a word on the whole run, a breach that was measured is still a breach.
Judgement WithLack(const Budget& budget, const JudgedSeries& series, Judgement judgement,
                   const Estimate& estimate, std::string lack) {
  if (OnlyWorsens(budget, series)) {
    Judgement against = AgainstLimit(budget, judgement, estimate);
    if (against.verdict == BudgetVerdict::kFail) judgement = std::move(against);
  }
  const bool is_proven = judgement.verdict == BudgetVerdict::kFail;
  return With(std::move(judgement), is_proven ? BudgetVerdict::kFail : BudgetVerdict::kNoData,
              std::move(lack));
}

Judgement JudgeSeries(const Budget& budget, const RunFacts& run, const JudgedSeries& series,
                      const ReadingsOf& readings) {
  Judgement judgement = Blank(budget, series.key.instance);
  judgement.count = series.rollup.present;
  judgement.expected = series.expected;
  judgement.coverage = series.coverage();
  std::string lack = LackOf(budget, series);
  std::string invalid = UnitMistake(budget, series);
  if (invalid.empty()) invalid = InvalidityOf(budget, run);
  const bool has_few =
      judgement.count < static_cast<std::uint64_t>(std::max<std::int64_t>(budget.min_count, 1));
  if (has_few || (!lack.empty() && !invalid.empty())) {
    return With(std::move(judgement), BudgetVerdict::kNoData, std::move(lack));
  }
  if (!invalid.empty()) {
    return With(std::move(judgement), BudgetVerdict::kInvalid, std::move(invalid));
  }
  const auto estimate = EstimateOf(budget, run, series, readings);
  if (!estimate.ok()) {
    if (lack.empty()) lack = estimate.error()->message();
    return With(std::move(judgement), BudgetVerdict::kNoData, std::move(lack));
  }
  if (lack.empty() && estimate->coverage < budget.min_coverage) {
    lack = fmt::format("{} % of the time lies between readings without a gap, {} % asked",
                       Percent(estimate->coverage), Percent(budget.min_coverage));
  }
  if (!lack.empty()) {
    return WithLack(budget, series, std::move(judgement), *estimate, std::move(lack));
  }
  return AgainstLimit(budget, std::move(judgement), *estimate);
}

}  // namespace

std::string_view NameOf(BudgetVerdict verdict) {
  switch (verdict) {
    case BudgetVerdict::kPass:
      return "PASS";
    case BudgetVerdict::kMarginal:
      return "MARGINAL";
    case BudgetVerdict::kInvalid:
      return "INVALID";
    case BudgetVerdict::kNoData:
      return "NO_DATA";
    case BudgetVerdict::kFail:
      return "FAIL";
  }
  return "";
}

BudgetVerdict WorstOf(std::span<const BudgetVerdict> verdicts) {
  if (verdicts.empty()) return BudgetVerdict::kNoData;
  return *std::max_element(verdicts.begin(), verdicts.end());
}

double JudgedSeries::coverage() const {
  if (expected == 0) return 0;
  return static_cast<double>(rollup.present) / static_cast<double>(expected);
}

std::string WhyNotFor(const Budget& budget, const RunFacts& run) {
  if (!budget.robot.empty() && !MatchesGlob(budget.robot, run.robot)) {
    return "it is for robots " + budget.robot;
  }
  if (!budget.model.empty() && run.model && !MatchesGlob(budget.model, *run.model)) {
    return "it is for models " + budget.model;
  }
  return "";
}

std::vector<Judgement> Judge(const Budget& budget, const RunFacts& run,
                             std::span<const JudgedSeries> series, const ReadingsOf& readings) {
  std::vector<Judgement> judgements;
  if (std::string unsaid = UnsaidOf(budget, run); !unsaid.empty()) {
    judgements.push_back(
        With(Blank(budget, budget.instance), BudgetVerdict::kNoData, std::move(unsaid)));
    return judgements;
  }
  for (const JudgedSeries& one : series) {
    if (one.key.metric != budget.metric) continue;
    if (!MatchesGlob(budget.instance, one.key.instance)) continue;
    judgements.push_back(JudgeSeries(budget, run, one, readings));
  }
  if (judgements.empty()) {
    judgements.push_back(
        With(Blank(budget, budget.instance), BudgetVerdict::kNoData, "no series matches"));
  }
  return judgements;
}

}  // namespace tacho
