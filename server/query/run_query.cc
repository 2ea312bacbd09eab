// "run": everything known of one run.
#include "server/judge/estimate.h"
#include "server/query.h"

namespace tacho {
namespace {

std::optional<double> QuantileOf(const JudgedSeries& series, double q) {
  const SeriesRollup& rollup = series.rollup;
  if (rollup.has_folds || rollup.histogram.count() == 0) return std::nullopt;
  return ValueOf(rollup.histogram.Quantile(q), series.key.decimals);
}

Json SeriesOf(const JudgedSeries& series) {
  const SeriesRollup& rollup = series.rollup;
  const int decimals = series.key.decimals;
  const bool is_present = rollup.present > 0;
  const auto value = [&](std::int64_t scaled) {
    return NumberOrNull(is_present ? std::optional(ValueOf(scaled, decimals)) : std::nullopt);
  };
  return Json::Object{
      {"metric", series.key.metric},
      {"instance", series.key.instance},
      {"unit", SymbolOf(series.key.unit)},
      {"count", rollup.present},
      {"expected", series.expected},
      {"coverage", series.coverage()},
      {"min", value(rollup.min)},
      {"mean", NumberOrNull(MeanOf(rollup, decimals))},
      {"max", value(rollup.max)},
      {"last", value(rollup.last)},
      {"p50", NumberOrNull(QuantileOf(series, 0.5))},
      {"p95", NumberOrNull(QuantileOf(series, 0.95))},
      {"p99", NumberOrNull(QuantileOf(series, 0.99))},
      {"absent", AbsentOf(series)},
  };
}

Result<Json> EventsOf(const QueryContext& context, const RunView& run) {
  const auto rows = context.store.Events(run.boot.key);
  if (!rows.ok()) return *rows.error();
  Json events(Json::Array{});
  for (const EventRow& row : *rows) {
    const Event& event = row.event;
    if (event.at < run.span.from || event.at >= run.span.to) continue;
    events.Push(EventOf(event, run.WallAt(event.at)));
  }
  return events;
}

std::string_view NameOf(Tier tier) {
  constexpr std::string_view kNames[] = {"T0", "T1", "T1m", "T2", "T3"};
  const auto index = static_cast<std::size_t>(tier);
  return index < std::size(kNames) ? kNames[index] : "";
}

// A gap has no time of its own: those of the whole boot are shown, and what nobody accounts for.
Result<Json> GapsOf(const QueryContext& context, const RunView& run) {
  constexpr std::size_t kMostHoles = 1000;
  auto rows = context.store.Gaps(run.boot.key);
  if (!rows.ok()) return std::move(rows).status();
  const auto holes = context.store.HolesOf(run.boot.key, kMostHoles);
  rows->insert(rows->end(), holes.begin(), holes.end());
  Json gaps(Json::Array{});
  for (const GapRow& row : *rows) {
    gaps.Push(Json::Object{{"tier", NameOf(row.tier)},
                           {"first", Number(row.seqs.first)},
                           {"count", row.seqs.count},
                           {"reason", row.reason}});
  }
  return gaps;
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string name = arguments.Text("run", "");
  TACHO_TRY(arguments.Finish());
  RunBook book(context.store);
  const auto run = book.Find(name);
  if (!run.ok()) return *run.error();
  const auto evaluation = context.evaluator.Evaluate(*run);
  if (!evaluation.ok()) return *evaluation.error();
  auto events = EventsOf(context, *run);
  if (!events.ok()) return events;
  auto gaps = GapsOf(context, *run);
  if (!gaps.ok()) return gaps;
  Json series(Json::Array{});
  for (const JudgedSeries& one : evaluation->series)
    series.Push(SeriesOf(one));
  Json budgets(Json::Array{});
  for (const Judgement& judgement : evaluation->judgements)
    budgets.Push(VerdictOf(judgement));
  const Standing standing{std::string(NameOf(evaluation->verdict)), evaluation->coverage};
  return Json(Json::Object{{"run", RunOf(*run, standing)},
                           {"setup", ObjectOf(evaluation->setup)},
                           {"series", std::move(series)},
                           {"events", *std::move(events)},
                           {"gaps", *std::move(gaps)},
                           {"budgets", std::move(budgets)}});
}

}  // namespace

extern constinit const Query kRunQuery{"run", &Answer};

}  // namespace tacho
