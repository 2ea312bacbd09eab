// The recorder's status as a page: what it measures, where it keeps it, and what it lost.
#include "cli/local_page.h"

#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

#include "cli/values.h"

namespace tacho {
namespace {

TableCell TonedIf(bool is_bad, TableCell cell, Tone tone) {
  if (is_bad) cell.tone = tone;
  return cell;
}

TableCell YesNo(const Json& value, bool good) {
  if (value.is_null()) return Absent();
  const bool yes = value.AsBool();
  return TextCell(yes ? "yes" : "no", yes == good ? Tone::kPlain : Tone::kBad);
}

Section RecorderSection(const Json& status) {
  Section section{.tag = "recorder"};
  section.table.columns = {{.name = "name"}, {.name = "value", .is_elastic = true}};
  section.table.has_header = false;
  const auto add = [&section](std::string_view name, TableCell value) {
    section.table.rows.push_back({TextCell(name, Tone::kDim), std::move(value)});
  };
  const Json& run = status["run"];
  const Json& clock = status["clock"];
  const Json& spool = status["spool"];
  const Json& flight = status["flight"];
  const std::string trust = clock["trust"].AsText();
  add("boot", CountCell(status["boot_counter"]));
  add("boot_id", WordCell(status["boot_id"]));
  add("agent", WordCell(status["agent"]));
  // The board's: the recorder may have begun later. Programs know it by its first name.
  add("uptime", DurationCell(status["uptime_s"]));
  section.table.rows.back().front().shown = "board up";
  add("run", CountCell(run["number"]));
  add("run_name", WordCell(run["name"]));
  add("run_for", DurationCell(run["since_s"]));
  add("clock", TonedIf(IsEstimate(trust), WordCell(clock["trust"]), Tone::kWarn));
  add("clock_time", TimeCell(clock["wall_ns"], trust));
  add("spool_ok", YesNo(spool["ok"], true));
  add("spool_used", QuantityCell(spool["bytes_used"], "B"));
  add("spool_limit", QuantityCell(spool["max_bytes"], "B"));
  add("unacknowledged", CountCell(spool["unacknowledged"]));
  add("evicted",
      TonedIf(spool["evicted"].AsInt() > 0, CountCell(spool["evicted"]), Tone::kMissing));
  add("ram_only", YesNo(spool["ram_only"], false));
  add("flight_holds", DurationCell(flight["seconds_held"]));
  add("flight_bytes", QuantityCell(flight["bytes"], "B"));
  for (const auto& [what, count] : status["drops"].members()) {
    add("dropped_" + what, TonedIf(count.AsInt() > 0, CountCell(count), Tone::kMissing));
  }
  return section;
}

Tone ToneOfSource(std::string_view state) {
  if (state == "ok") return Tone::kGood;
  return state == "off" ? Tone::kDim : Tone::kMissing;
}

Section SourcesSection(const Json& status) {
  Section section{.tag = "source", .title = "sources", .if_empty = "No source is open."};
  section.table.columns = {{.name = "source"},
                           {.name = "state"},
                           {.name = "channels", .is_right = true},
                           {.name = "detail", .is_elastic = true}};
  for (const Json& source : status["sources"].items()) {
    const std::string state = source["state"].AsText();
    section.table.rows.push_back({WordCell(source["name"]), TextCell(state, ToneOfSource(state)),
                                  CountCell(source["channels"]), WordCell(source["detail"])});
  }
  return section;
}

Section SeriesSection(const Json& status) {
  Section section{.tag = "series", .title = "series", .if_empty = "Nothing was measured yet."};
  section.table.columns = {{.name = "metric", .is_elastic = true},
                           {.name = "instance", .is_elastic = true},
                           {.name = "value", .is_right = true},
                           {.name = "age", .rank = 1, .is_right = true},
                           {.name = "why"},
                           {.name = "unit", .where = Where::kDataOnly}};
  for (const Json& series : status["series"].items()) {
    TableCell why = WordCell(series["why"]);
    why.tone = why.is_absent ? Tone::kDim : Tone::kMissing;
    section.table.rows.push_back({WordCell(series["metric"]), WordCell(series["instance"]),
                                  QuantityCell(series["value"], series["unit"].AsText()),
                                  DurationCell(series["age_s"]), std::move(why),
                                  WordCell(series["unit"])});
  }
  return section;
}

std::string Coverage(const Json& status) {
  std::size_t with_value = 0;
  for (const Json& series : status["series"].items()) {
    if (series["value"].is_number()) ++with_value;
  }
  std::size_t sources_ok = 0;
  for (const Json& source : status["sources"].items()) {
    if (source["state"].AsText() == "ok") ++sources_ok;
  }
  return fmt::format("{} of {} series have a value; {} of {} sources are read", with_value,
                     status["series"].items().size(), sources_ok, status["sources"].items().size());
}

}  // namespace

AnswerPage LocalStatusPage(const Json& status) {
  AnswerPage page;
  page.json = status;
  page.sections = {RecorderSection(status), SourcesSection(status), SeriesSection(status)};
  const Json& spool = status["spool"];
  if (spool["ram_only"].AsBool()) {
    page.warnings.emplace_back(
        "The disk refuses: records are kept in memory and are lost with the power. See "
        "`journalctl -u tachod`.");
  }
  if (const std::string detail = spool["detail"].AsText(); !detail.empty()) {
    page.warnings.push_back("Of the spool: " + detail);
  }
  if (IsEstimate(status["clock"]["trust"].AsText())) {
    page.warnings.emplace_back("Nobody vouches for this robot's clock yet; ~ marks its times.");
  }
  page.coverage = Coverage(status);
  page.next = {"tacho local run start NAME", "journalctl -u tachod -n 20"};
  return page;
}

}  // namespace tacho
