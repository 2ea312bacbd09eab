// A history's verdicts as JSON.
#include "server/detect/history_json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tacho::detect {
namespace {

Json Count(std::size_t count) {
  return Json(static_cast<std::uint64_t>(count));
}

Json ToJson(const Segment& segment) {
  return Json::Object{{"first", Count(segment.first)},
                      {"end", Count(segment.end)},
                      {"nights", Count(segment.nights)},
                      {"level", segment.level},
                      {"slope", segment.slope}};
}

Json ToJson(const Change& change) {
  return Json::Object{{"verdict", std::string(NameOf(change.verdict))},
                      {"first", Count(change.first)},
                      {"earliest", Count(change.earliest)},
                      {"latest", Count(change.latest)},
                      {"before", change.before},
                      {"after", change.after},
                      {"relative", change.relative},
                      {"effect", change.effect},
                      {"p", change.p},
                      {"nights_before", Count(change.nights_before)},
                      {"nights_after", Count(change.nights_after)},
                      {"is_return", change.is_return},
                      {"is_cumulative", change.is_cumulative},
                      {"went_away_at", change.went_away_at ? Count(*change.went_away_at) : Json()}};
}

Json ToJson(const Drift& drift) {
  return Json::Object{{"first", Count(drift.first)},
                      {"end", Count(drift.end)},
                      {"from", drift.from},
                      {"to", drift.to},
                      {"relative", drift.relative},
                      {"effect", drift.effect},
                      {"p", drift.p}};
}

Json ToJson(const Blip& blip) {
  return Json::Object{{"first", Count(blip.first)}, {"nights", Count(blip.nights)},
                      {"value", blip.value},        {"expected", blip.expected},
                      {"effect", blip.effect},      {"is_settled", blip.is_settled}};
}

Json ToJson(const SpreadChange& spread) {
  return Json::Object{{"first", Count(spread.first)},
                      {"before", spread.before},
                      {"after", spread.after},
                      {"p", spread.p}};
}

Json ToJson(double value) {
  return Json(value);
}

template <class Entry>
Json List(const std::vector<Entry>& entries) {
  Json::Array list;
  list.reserve(entries.size());
  for (const Entry& entry : entries)
    list.push_back(ToJson(entry));
  return list;
}

}  // namespace

Json IndicesJson(const History& history) {
  Json::Array indices;
  for (const std::size_t index : FirstIndices(history))
    indices.push_back(Count(index));
  return indices;
}

Json FullJson(const History& history, double adjusted_p) {
  const bool is_known = history.is_enough;
  const auto known = [&](double value) { return is_known ? Json(value) : Json(); };
  return Json::Object{{"nights", Count(history.nights)},
                      {"missing", Count(history.missing)},
                      {"too_old", Count(history.too_old)},
                      {"is_enough", history.is_enough},
                      {"level", known(history.level)},
                      {"sigma", known(history.sigma)},
                      {"rho", known(history.rho)},
                      {"p", known(history.p)},
                      {"q", known(adjusted_p)},
                      {"season", List(history.season)},
                      {"segments", List(history.segments)},
                      {"changes", List(history.changes)},
                      {"small", List(history.small)},
                      {"drifts", List(history.drifts)},
                      {"blips", List(history.blips)},
                      {"spreads", List(history.spreads)}};
}

}  // namespace tacho::detect
