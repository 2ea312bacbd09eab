// "runs": runs of the fleet, newest first.
#include "server/query.h"

namespace tacho {
namespace {

constexpr std::int64_t kMostRuns = 10000;

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  RunFilter filter = arguments.Runs(kMostRuns);
  filter.with_idle = arguments.Bool("idle", false);
  TACHO_TRY(arguments.Finish());
  RunBook book(context.store);
  const auto list = book.List(filter);
  if (!list.ok()) return *list.error();
  Json runs(Json::Array{});
  for (const RunView& run : list->runs) {
    const auto standing = context.evaluator.StandingOf(run);
    if (!standing.ok()) return *standing.error();
    runs.Push(RunOf(run, *standing));
  }
  return Json(Json::Object{{"runs", std::move(runs)}, {"more", list->has_more}});
}

}  // namespace

extern constinit const Query kRunsQuery{"runs", &Answer};

}  // namespace tacho
