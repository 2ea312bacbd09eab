// One run, weighed: its setup, its series with their coverage, and every budget's word on them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/mutex.h"
#include "server/judge/budget.h"
#include "server/judge/judge.h"
#include "server/presence.h"
#include "server/rollup_book.h"
#include "server/run_book.h"
#include "server/store/run_store.h"

namespace tacho {

// The budgets in force; swapped as a whole when their file is read again.
struct BudgetSet {
  std::int64_t version = 0;  // in the store
  std::vector<Budget> budgets;
};

class BudgetBook {
 public:
  void Set(BudgetSet budgets);
  std::shared_ptr<const BudgetSet> Get() const;

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const BudgetSet> budgets_ GUARDED_BY(mutex_) =
      std::make_shared<const BudgetSet>();
};

// A budget that does not apply to a run, and which of its conditions says so.
struct SkippedBudget {
  std::string budget;
  std::string why;
};

struct Evaluation {
  RunFacts facts;
  std::map<std::string, std::string> setup;  // of the newest dictionary in force
  std::vector<JudgedSeries> series;          // by metric and instance
  std::vector<Judgement> judgements;
  std::vector<SkippedBudget> skipped;
  Nanos silent_for{0};  // an open run of a robot that is silent: for how long
  bool has_throttled() const { return !facts.throttles.empty(); }
  bool is_throttling_known = false;  // a series of the robot would tell
  BudgetVerdict verdict = BudgetVerdict::kNoData;
  // Readings brought over readings expected, all series together; what was off is not expected.
  double coverage = 0;
};

// The run's one word and its coverage.
struct Standing {
  std::string verdict;
  double coverage = 0;
};

// Any thread.
class Evaluator {
 public:
  // `save` is told of every new standing of a run that has ended; it may be empty.
  using Save = std::function<void(const RunKey&, const VerdictRow&)>;
  Evaluator(RunReader& store, RollupBook& rollups, const BudgetBook& budgets, Silence silence,
            Save save)
      : store_(store),
        rollups_(rollups),
        budgets_(budgets),
        silence_(silence),
        save_(std::move(save)) {}

  // By the budgets in force.
  Result<Evaluation> Evaluate(const RunView& run);
  // By others, which nobody keeps.
  Result<Evaluation> Evaluate(const RunView& run, std::span<const Budget> budgets);
  std::shared_ptr<const BudgetSet> budgets() const { return budgets_.Get(); }
  // The series alone, unjudged, of the part of the run within [from, to).
  Result<std::vector<JudgedSeries>> SeriesOf(const RunView& run, BootTime from, BootTime to);
  // Until when the run should have brought readings: an open run of a silent robot, until now.
  BootTime EndOf(const RunView& run) const;
  // Evaluates only if the run's rows or the budgets changed since it last did.
  Result<Standing> StandingOf(const RunView& run);

 private:
  // Fills the series, the setup, the silence, and of the facts the duration and what the
  // dictionaries say.
  Status Weigh(const RunView& run, BootTime from, BootTime to, Evaluation& evaluation);
  Nanos SilenceOf(const RunView& run) const;
  Status AddEvents(const RunView& run, RunFacts& facts);
  std::string FingerprintOf(const RunView& run) const;

  RunReader& store_;
  RollupBook& rollups_;
  const BudgetBook& budgets_;
  const Silence silence_;
  const Save save_;
  Mutex mutex_;
  std::map<RunKey, VerdictRow> standings_ GUARDED_BY(mutex_);
};

}  // namespace tacho
