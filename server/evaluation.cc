#include "server/evaluation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "server/expectation.h"

namespace tacho {
namespace {

constexpr std::size_t kStandingsKept = 65536;
// Raised with every change of what a verdict or a coverage means: saved ones are weighed again.
constexpr int kJudging = 2;
// A silent robot's open run is weighed again this often.
constexpr Nanos kSilenceStep = std::chrono::seconds(10);
constexpr std::string_view kThrottleMetrics = "throttle";

const std::string* SetupOf(const Dictionary& dictionary, std::string_view key) {
  for (const auto& [name, value] : dictionary.setup) {
    if (name == key) return &value;
  }
  return nullptr;
}

// What the dictionaries say of the robot itself.
void AddSetup(const std::vector<DictionaryInForce>& in_force, RunFacts& facts) {
  for (const DictionaryInForce& one : in_force) {
    if (const auto* model = SetupOf(*one.dictionary, "model")) facts.model = *model;
    const auto* mode = SetupOf(*one.dictionary, "power_mode");
    if (mode == nullptr) {
      facts.has_unsaid_power_mode = true;
      continue;
    }
    auto& modes = facts.power_modes;
    if (std::find(modes.begin(), modes.end(), *mode) == modes.end()) modes.push_back(*mode);
  }
}

// What is switched off has nothing to measure: that it was off was measured.
double CoverageOf(const std::vector<JudgedSeries>& series) {
  double present = 0;
  double expected = 0;
  for (const JudgedSeries& one : series) {
    const auto& absent = one.rollup.absent;
    const std::uint64_t off = absent[static_cast<std::size_t>(Why::kGated)] +
                              absent[static_cast<std::size_t>(Why::kDisabled)];
    present += static_cast<double>(one.rollup.present);
    expected += static_cast<double>(one.expected - std::min(one.expected, off));
  }
  return expected > 0 ? present / expected : 0;
}

// The run's own dictionary, said when it opened, then those that its rows name.
Result<std::vector<DictionaryInForce>> DictionariesOf(RunReader& store, const RunSpan& run,
                                                      const RunRollup& rollup) {
  std::vector<std::pair<BootTime, DictionaryHash>> order;
  for (const auto& [hash, span] : rollup.dictionaries)
    order.emplace_back(span.first, hash);
  std::sort(order.begin(), order.end());
  const DictionaryHash opening = run.row.dictionary;
  const bool is_used = !order.empty() && order.front().second == opening;
  if (opening != DictionaryHash{} && !is_used) order.insert(order.begin(), {run.from, opening});
  std::vector<DictionaryInForce> in_force;
  for (const auto& [from, hash] : order) {
    auto dictionary = store.DictionaryOf(hash);
    if (!dictionary.ok() && hash == opening) continue;  // it may be still on its way
    if (!dictionary.ok()) return std::move(dictionary).status();
    in_force.push_back({from, *std::move(dictionary)});
  }
  return in_force;
}

}  // namespace

void BudgetBook::Set(BudgetSet budgets) {
  auto fresh = std::make_shared<const BudgetSet>(std::move(budgets));
  MutexLock lock(mutex_);
  budgets_ = std::move(fresh);
}

std::shared_ptr<const BudgetSet> BudgetBook::Get() const {
  MutexLock lock(mutex_);
  return budgets_;
}

Result<Evaluation> Evaluator::Evaluate(const RunView& run) {
  const auto in_force = budgets_.Get();
  return Evaluate(run, in_force->budgets);
}

Result<Evaluation> Evaluator::Evaluate(const RunView& run, std::span<const Budget> budgets) {
  Evaluation evaluation;
  RunFacts& facts = evaluation.facts;
  facts.robot = run.boot.key.robot;
  TACHO_TRY(Weigh(run, run.span.from, run.span.to, evaluation));
  evaluation.coverage = CoverageOf(evaluation.series);
  TACHO_TRY(AddEvents(run, facts));
  evaluation.is_throttling_known = std::any_of(
      evaluation.series.begin(), evaluation.series.end(),
      [](const JudgedSeries& one) { return one.key.metric.starts_with(kThrottleMetrics); });
  const ReadingsOf readings = [&](const SeriesKey& key) {
    return rollups_.ReadingsOf(run.span, key);
  };
  std::vector<BudgetVerdict> verdicts;
  for (const Budget& budget : budgets) {
    if (std::string why = WhyNotFor(budget, facts); !why.empty()) {
      evaluation.skipped.push_back({budget.name, std::move(why)});
      continue;
    }
    for (Judgement& judgement : Judge(budget, facts, evaluation.series, readings)) {
      verdicts.push_back(judgement.verdict);
      evaluation.judgements.push_back(std::move(judgement));
    }
  }
  evaluation.verdict = WorstOf(verdicts);
  return evaluation;
}

Result<std::vector<JudgedSeries>> Evaluator::SeriesOf(const RunView& run, BootTime from,
                                                      BootTime to) {
  Evaluation evaluation;
  TACHO_TRY(Weigh(run, from, to, evaluation));
  return std::move(evaluation.series);
}

Nanos Evaluator::SilenceOf(const RunView& run) const {
  if (run.span.state != RunState::kOpen) return Nanos{0};
  return silence_.Of(run.boot.key.robot);
}

BootTime Evaluator::EndOf(const RunView& run) const {
  return run.span.ended + SilenceOf(run);
}

Status Evaluator::Weigh(const RunView& run, BootTime from, BootTime to, Evaluation& evaluation) {
  RunFacts& facts = evaluation.facts;
  // Asked once: all of one answer ends at one moment.
  evaluation.silent_for = SilenceOf(run);
  const BootTime end = run.span.ended + evaluation.silent_for;
  facts.duration = end - run.span.from;
  auto rollup = rollups_.Of(run.span);
  if (!rollup.ok()) return *rollup.error();
  const auto in_force = DictionariesOf(store_, run.span, **rollup);
  if (!in_force.ok()) return *in_force.error();
  AddSetup(*in_force, facts);
  if (!in_force->empty()) {
    const auto& setup = in_force->back().dictionary->setup;
    evaluation.setup = {setup.begin(), setup.end()};
  }
  const bool is_part = from > run.span.from || to < run.span.to;
  if (is_part) rollup = rollups_.OfPart(run.span, from, to);
  if (!rollup.ok()) return *rollup.error();
  for (const auto& [key, expectation] : ExpectationsOf(*in_force, from, std::min(to, end))) {
    JudgedSeries one;
    one.key = key;
    one.period = expectation.period;
    const auto brought = (*rollup)->series.find(key);
    if (brought != (*rollup)->series.end()) one.rollup = brought->second;
    // What came although it was not expected (a reading at either edge) is no more than all.
    one.expected = std::max(static_cast<std::uint64_t>(std::floor(expectation.readings)),
                            one.rollup.present + one.rollup.absent_count());
    evaluation.series.push_back(std::move(one));
  }
  return {};
}

Status Evaluator::AddEvents(const RunView& run, RunFacts& facts) {
  const auto events = store_.Events(run.boot.key);
  if (!events.ok()) return *events.error();
  for (const EventRow& row : *events) {
    if (row.event.at < run.span.from || row.event.at >= run.span.to) continue;
    if (row.event.kind == "throttle") facts.throttles.push_back(row.event.detail);
    if (row.event.kind == "clock_stepped") facts.clock_steps.push_back(row.event.detail);
  }
  return {};
}

// All that a standing depends on: the rules of judging, the budgets, how many records of the boot
// are there, and the run's own ends.
std::string Evaluator::FingerprintOf(const RunView& run) const {
  const RecordCounts counts = store_.CountsOf(run.boot.key);
  return fmt::format("{}:{}:{}:{}:{}:{}:{}:{}", kJudging, budgets_.Get()->version, counts.stored,
                     counts.gaps, NameOf(run.span.state), Count(run.span.from),
                     Count(run.span.ended), SilenceOf(run) / kSilenceStep);
}

Result<Standing> Evaluator::StandingOf(const RunView& run) {
  const RunKey& key = run.span.row.key;
  const std::string fingerprint = FingerprintOf(run);
  {
    MutexLock lock(mutex_);
    const auto known = standings_.find(key);
    if (known != standings_.end() && known->second.fingerprint == fingerprint) {
      return Standing{known->second.verdict, known->second.coverage};
    }
  }
  auto saved = store_.VerdictOf(key);
  const bool is_current = saved.ok() && saved->fingerprint == fingerprint;
  if (!is_current) {
    const auto evaluation = Evaluate(run);
    if (!evaluation.ok()) return *evaluation.error();
    saved = VerdictRow{fingerprint, std::string(NameOf(evaluation->verdict)), evaluation->coverage};
    if (save_ && run.span.state != RunState::kOpen) save_(key, *saved);
  }
  MutexLock lock(mutex_);
  if (standings_.size() >= kStandingsKept) standings_.clear();
  standings_[key] = *saved;
  return Standing{saved->verdict, saved->coverage};
}

}  // namespace tacho
