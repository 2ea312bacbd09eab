// "series": readings over time, of one run or of one robot between two moments.
#include <algorithm>
#include <cmath>

#include "common/glob.h"
#include "server/judge/estimate.h"
#include "server/query.h"

namespace tacho {
namespace {

constexpr std::int64_t kMostPoints = 1'000'000;

struct Wanted {
  std::string metric;
  std::string instance;
  std::size_t max_points = 0;
  std::optional<WallTime> since;
  std::optional<WallTime> until;
};

// One line of points under way, over one run or several.
struct Line {
  JudgedSeries series;
  Json points{Json::Array{}};
  std::size_t count = 0;  // of readings, before they were thinned
  std::optional<double> last;
  bool has_folds = false;
};

Json PointOf(const RunView& run, BootTime at, double value) {
  return Json::Array{WallOrNull(run.WallAt(at)), Count(at), value};
}

// The part [from, to) of a run that lies between two moments of wall time.
struct Part {
  BootTime from;
  BootTime to;
};

// The first moment of [from, to) at or after `wall`, else `to`. Nothing moves back in wall time
// within a boot's clock but by a step, and then either side of the step will do.
BootTime FirstAt(const RunView& run, BootTime from, BootTime to, WallTime wall) {
  while (from < to) {
    const BootTime middle = from + (to - from) / 2;
    const auto at = run.WallAt(middle).wall;
    if (at && *at < wall) {
      from = middle + Nanos{1};
    } else {
      to = middle;
    }
  }
  return from;
}

Part PartOf(const QueryContext& context, const RunView& run, const Wanted& wanted) {
  Part part{run.span.from, run.span.to};
  const BootTime end = context.evaluator.EndOf(run);
  const bool is_bounded = wanted.since || wanted.until;
  if (is_bounded && !run.WallAt(part.from).wall) return {part.from, part.from};  // nobody can tell
  if (wanted.since) part.from = FirstAt(run, part.from, end, *wanted.since);
  if (!wanted.until) return part;
  const BootTime after = FirstAt(run, part.from, end, *wanted.until + Nanos{1});
  if (after < end) part.to = after;
  return part;
}

// Thinned to `most` by keeping the ends, and of each stretch between them the reading furthest from
// the stretch before it: what sticks out stays. Of most = 1 the last.
std::vector<SeriesReading> Thinned(std::vector<SeriesReading> readings, std::size_t most) {
  if (most == 0 || readings.size() <= most) return readings;
  if (most == 1) return {readings.back()};
  std::vector<SeriesReading> kept = {readings.front()};
  const std::size_t inner = readings.size() - 2;
  for (std::size_t i = 0; i + 2 < most; ++i) {
    const std::size_t from = 1 + i * inner / (most - 2);
    const std::size_t to = 1 + (i + 1) * inner / (most - 2);
    const double before = kept.back().mean;
    const auto furthest =
        std::max_element(readings.begin() + static_cast<std::ptrdiff_t>(from),
                         readings.begin() + static_cast<std::ptrdiff_t>(to),
                         [&](const SeriesReading& a, const SeriesReading& b) {
                           return std::abs(a.mean - before) < std::abs(b.mean - before);
                         });
    kept.push_back(*furthest);
  }
  kept.push_back(readings.back());
  return kept;
}

Status AddRun(const QueryContext& context, const RunView& run, const Wanted& wanted,
              std::map<SeriesKey, Line>& lines) {
  const Part part = PartOf(context, run, wanted);
  const auto series = context.evaluator.SeriesOf(run, part.from, part.to);
  if (!series.ok()) return *series.error();
  for (const JudgedSeries& one : *series) {
    if (!MatchesGlob(wanted.metric, one.key.metric)) continue;
    if (!MatchesGlob(wanted.instance, one.key.instance)) continue;
    auto readings = context.rollups.ReadingsOf(run.span, one.key);
    if (!readings.ok()) return std::move(readings).status();
    std::erase_if(*readings, [&](const SeriesReading& reading) {
      return reading.at < part.from || reading.at >= part.to;
    });
    Line& line = lines[one.key];
    line.series.key = one.key;
    line.series.period = one.period;
    line.series.rollup.present += one.rollup.present;
    line.series.expected += one.expected;
    for (std::size_t why = 0; why < one.rollup.absent.size(); ++why) {
      line.series.rollup.absent[why] += one.rollup.absent[why];
    }
    line.has_folds = line.has_folds || one.rollup.has_folds;
    line.count += readings->size();
    if (!readings->empty()) line.last = ValueOf(readings->back().mean, one.key.decimals);
    for (const SeriesReading& reading : Thinned(*std::move(readings), wanted.max_points)) {
      line.points.Push(PointOf(run, reading.at, ValueOf(reading.mean, one.key.decimals)));
    }
  }
  return {};
}

// A run's interval of wall time; nullopt where no clock can be believed.
struct WallSpan {
  WallTime from;
  WallTime to;
};

std::optional<WallSpan> WallSpanOf(const QueryContext& context, const RunView& run) {
  const auto from = run.WallAt(run.span.from).wall;
  const auto to = run.WallAt(context.evaluator.EndOf(run)).wall;
  if (!from || !to) return std::nullopt;
  return WallSpan{*from, *to};
}

bool Touches(const QueryContext& context, const RunView& run, const Wanted& wanted) {
  const auto span = WallSpanOf(context, run);
  if (!span) return !wanted.since && !wanted.until;
  return (!wanted.until || span->from <= *wanted.until) &&
         (!wanted.since || span->to >= *wanted.since);
}

// How much of a window lies in no run of the robot, from its first one on: the recorder was off,
// and nothing was measured. Of a run that is open more may be on its way. `runs` is oldest first.
Nanos Unrecorded(const QueryContext& context, const std::vector<RunView>& runs,
                 const Wanted& wanted) {
  if (!wanted.since || runs.empty()) return Nanos{0};
  const auto oldest = WallSpanOf(context, runs.front());
  const auto newest = WallSpanOf(context, runs.back());
  if (!oldest || !newest) return Nanos{0};  // nobody can tell
  const bool is_open = runs.back().span.state == RunState::kOpen;
  const WallTime latest = is_open ? newest->to : context.clock.Pair().wall;
  const WallTime from = std::max(*wanted.since, oldest->from);
  const WallTime to = std::min(wanted.until.value_or(latest), latest);
  Nanos left = std::max(to - from, Nanos{0});
  for (const RunView& run : runs) {
    const auto span = WallSpanOf(context, run);
    if (!span) return Nanos{0};
    left -= std::max(std::min(span->to, to) - std::max(span->from, from), Nanos{0});
  }
  return std::max(left, Nanos{0});
}

// The runs to look through, oldest first, and the time between them.
struct Found {
  std::vector<RunView> runs;
  Nanos unrecorded{0};
};

Result<Found> FindRuns(const QueryContext& context, const std::string& run_name,
                       const std::string& robot, const Wanted& wanted) {
  RunBook book(context.store);
  if (!run_name.empty()) {
    auto run = book.Find(run_name);
    if (!run.ok()) return std::move(run).status();
    return Found{{*std::move(run)}, {}};
  }
  if (robot.empty()) return Status(Code::kInvalid, "say a run or a robot");
  auto runs = book.RunsOf(robot);
  if (!runs.ok()) return std::move(runs).status();
  std::reverse(runs->begin(), runs->end());
  Found found{{}, Unrecorded(context, *runs, wanted)};
  for (const RunView& run : *runs) {
    if (Touches(context, run, wanted)) found.runs.push_back(run);
  }
  // A window without a run: the newest one tells at least which series are missing there.
  if (found.runs.empty() && !runs->empty()) found.runs.push_back(runs->back());
  return found;
}

Json AnswerOf(const Line& line) {
  return Json::Object{
      {"metric", line.series.key.metric},
      {"instance", line.series.key.instance},
      {"unit", SymbolOf(line.series.key.unit)},
      {"decimals", line.series.key.decimals},
      {"stat", line.has_folds ? "mean" : "value"},
      {"points", line.points},
      {"count", line.count},
      {"last", NumberOrNull(line.last)},
      {"absent", AbsentOf(line.series)},
      {"coverage", line.series.coverage()},
  };
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string run_name = arguments.Text("run", "");
  const std::string robot = arguments.Text("robot", "");
  Wanted wanted;
  wanted.metric = arguments.Text("metric", "*");
  wanted.instance = arguments.Text("instance", "*");
  wanted.max_points = static_cast<std::size_t>(arguments.Int("max_points", 0, 0, kMostPoints));
  wanted.since = arguments.Wall("since_wall_ns");
  wanted.until = arguments.Wall("until_wall_ns");
  TACHO_TRY(arguments.Finish());
  const auto found = FindRuns(context, run_name, robot, wanted);
  if (!found.ok()) return *found.error();
  std::map<SeriesKey, Line> lines;
  for (const RunView& run : found->runs)
    TACHO_TRY(AddRun(context, run, wanted, lines));
  Json series(Json::Array{});
  for (auto& [key, line] : lines) {
    const Nanos period = line.series.period;
    if (period > Nanos{0}) {
      line.series.expected += static_cast<std::uint64_t>(found->unrecorded / period);
    }
    series.Push(AnswerOf(line));
  }
  return Json(Json::Object{{"series", std::move(series)}});
}

}  // namespace

extern constinit const Query kSeriesQuery{"series", &Answer};

}  // namespace tacho
