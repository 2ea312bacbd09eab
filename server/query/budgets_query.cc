// "budgets": by which budgets the server judges now.
#include "server/query.h"

namespace tacho {
namespace {

Json BudgetOf(const Budget& budget) {
  return Json::Object{
      {"budget", budget.name},
      {"metric", budget.metric},
      {"instance", budget.instance},
      {"statistic", NameOf(budget.statistic)},
      {"for_ns", budget.held_for.count()},
      {"limit", budget.limit.value},
      {"comparison", budget.is_upper ? "<=" : ">="},
      {"unit", SymbolOf(budget.limit)},
      {"min_count", budget.min_count},
      {"min_coverage", budget.min_coverage},
      {"robot", budget.robot},
      {"model", budget.model},
      {"power_mode", budget.power_mode},
      {"holds_when_throttled", budget.holds_when_throttled},
  };
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  TACHO_TRY(arguments.Finish());
  const auto in_force = context.evaluator.budgets();
  Json budgets(Json::Array{});
  for (const Budget& budget : in_force->budgets)
    budgets.Push(BudgetOf(budget));
  return Json(Json::Object{{"version", in_force->version}, {"budgets", std::move(budgets)}});
}

}  // namespace

extern constinit const Query kBudgetsQuery{"budgets", &Answer};

}  // namespace tacho
