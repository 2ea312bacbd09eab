#include "cli/status_changes.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>

#include "common/glob.h"

namespace tacho {
namespace {

Json Line(const Json& status, std::string_view what) {
  const Json& clock = status["clock"];
  return Json::Object{
      {"wall_ns", clock["wall_ns"]}, {"clock_trust", clock["trust"]}, {"what", what}};
}

// The item of `list` that agrees with `item` in these keys; null where there is none. The same
// place is looked at first: a recorder lists its series in one order.
const Json& Same(const Json& list, std::size_t place, const Json& item,
                 std::initializer_list<std::string_view> keys) {
  static const Json kNone;
  const auto agrees = [&](const Json& other) {
    for (const std::string_view key : keys) {
      if (!(other[key] == item[key])) return false;
    }
    return true;
  };
  const Json::Array& items = list.items();
  if (place < items.size() && agrees(items[place])) return items[place];
  for (const Json& other : items) {
    if (agrees(other)) return other;
  }
  return kNone;
}

std::string NameOfRun(const Json& status) {
  return fmt::format("{}/{} '{}'", status["boot_counter"].AsInt(), status["run"]["number"].AsInt(),
                     status["run"]["name"].AsText("-"));
}

std::string NameOfSource(const Json& source) {
  const std::string detail = source["detail"].AsText();
  return fmt::format("{} is {}{}", source["name"].AsText("-"), source["state"].AsText("-"),
                     detail.empty() ? "" : fmt::format(" ({})", detail));
}

// Counters of what was lost, which only grow.
void AddLosses(const Json& before, const Json& now, std::vector<Json>& lines) {
  const auto add = [&](std::string_view what, const Json& old_count, const Json& new_count) {
    const std::int64_t more = new_count.AsInt() - old_count.AsInt();
    if (more <= 0) return;
    lines.push_back(LiveEvent(now, "loss", fmt::format("{} more {}", more, what)));
  };
  for (const auto& [what, count] : now["drops"].members()) {
    add("dropped at " + what, before["drops"][what], count);
  }
  add("evicted from the spool", before["spool"]["evicted"], now["spool"]["evicted"]);
  add("lost from the spool", before["spool"]["lost"], now["spool"]["lost"]);
}

}  // namespace

bool IsChosen(const Json& series, const std::string& pattern) {
  const std::string metric = series["metric"].AsText();
  return pattern.empty() || MatchesGlob(pattern, metric) ||
         MatchesGlob(pattern, metric + '/' + series["instance"].AsText());
}

Json LiveEvent(const Json& status, std::string kind, std::string detail) {
  Json line = Line(status, "event");
  line.Append("kind", std::move(kind));
  line.Append("detail", std::move(detail));
  return line;
}

std::vector<Json> EventsBetween(const Json& before, const Json& now) {
  std::vector<Json> lines;
  if (before.is_null()) return lines;
  const auto add = [&](std::string kind, std::string detail) {
    lines.push_back(LiveEvent(now, std::move(kind), std::move(detail)));
  };
  if (!(before["boot_id"] == now["boot_id"])) add("boot", "the robot booted");
  if (!(before["run"]["number"] == now["run"]["number"])) {
    add("run", NameOfRun(now) + " is open");
  }
  const std::string trust = now["clock"]["trust"].AsText("never");
  if (before["clock"]["trust"].AsText("never") != trust) add("clock", "its trust is " + trust);
  for (std::size_t i = 0; i < now["sources"].items().size(); ++i) {
    const Json& source = now["sources"].items()[i];
    if (!(Same(before["sources"], i, source, {"name"})["state"] == source["state"])) {
      add("source", NameOfSource(source));
    }
  }
  const bool is_ram_only = now["spool"]["ram_only"].AsBool();
  if (before["spool"]["ram_only"].AsBool() != is_ram_only) {
    add("spool", is_ram_only ? "the disk refuses: records are kept in memory only"
                             : "records are on the disk again");
  }
  AddLosses(before, now, lines);
  return lines;
}

std::vector<Json> ValuesBetween(const Json& before, const Json& now, const std::string& pattern) {
  std::vector<Json> lines;
  const Json::Array& series = now["series"].items();
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Json& one = series[i];
    if (!IsChosen(one, pattern)) continue;
    if (!Same(before["series"], i, one, {"metric", "instance", "value", "why"}).is_null()) continue;
    Json line = Line(now, "value");
    for (const char* key : {"metric", "instance", "value", "unit", "why"})
      line.Append(key, one[key]);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tacho
