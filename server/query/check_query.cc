// "check": a run's verdict, budget by budget.
#include "server/query.h"

namespace tacho {
namespace {

std::string_view ThrottlingOf(const Evaluation& evaluation) {
  if (evaluation.has_throttled()) return "yes";
  return evaluation.is_throttling_known ? "no" : "not measured";
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string name = arguments.Text("run", "");
  TACHO_TRY(arguments.Finish());
  RunBook book(context.store);
  const auto run = book.Find(name);
  if (!run.ok()) return *run.error();
  const auto evaluation = context.evaluator.Evaluate(*run);
  if (!evaluation.ok()) return *evaluation.error();
  const std::string verdict(NameOf(evaluation->verdict));
  Json budgets(Json::Array{});
  for (const Judgement& judgement : evaluation->judgements)
    budgets.Push(VerdictOf(judgement));
  Json skipped(Json::Array{});
  for (const SkippedBudget& one : evaluation->skipped)
    skipped.Push(Json::Object{{"budget", one.budget}, {"why", one.why}});
  const std::string& robot = run->boot.key.robot;
  const RecordCounts events = context.store.CountsOf(robot, Tier::kEvents);
  return Json(Json::Object{{"run", RunOf(*run, {verdict, evaluation->coverage})},
                           {"verdict", verdict},
                           {"budgets", std::move(budgets)},
                           {"skipped", std::move(skipped)},
                           {"silent_ns", evaluation->silent_for.count()},
                           {"robot_silent_ns", context.silence.Of(robot).count()},
                           {"lost_event_records", events.lost()},
                           {"throttling", ThrottlingOf(*evaluation)}});
}

}  // namespace

extern constinit const Query kCheckQuery{"check", &Answer};

}  // namespace tacho
