// The status as JSON, part by part.
#include "daemon/recorder/status_report.h"

#include <cmath>

#include "daemon/recorder/health_report.h"

namespace tacho {
namespace {

double Seconds(Nanos span) {
  return std::chrono::duration<double>(span).count();
}

const char* NameOfTrust(ClockTrust trust) {
  switch (trust) {
    case ClockTrust::kNever:
      break;
    case ClockTrust::kRtc:
      return "rtc";
    case ClockTrust::kServer:
      return "server";
    case ClockTrust::kNtp:
      return "ntp";
    case ClockTrust::kGps:
      return "gps";
  }
  return "never";
}

Json SourceOf(const SourceHealth& health) {
  return Json::Object{{"name", health.name},
                      {"state", NameOf(health.state)},
                      {"channels", health.channels},
                      {"detail", health.detail}};
}

Json LabelsOf(const OpenRun& run) {
  Json labels{Json::Object{}};
  for (const auto& [key, value] : run.labels)
    labels.Set(key, value);
  return labels;
}

// A word that is too old says only when it came: nobody knows what holds now.
Json SeriesOf(const ChannelDef& channel, const std::optional<Latest::Word>& word, BootTime now,
              Nanos stale_after) {
  Json value;
  Json age;
  Json why = std::string(NameOf(Why::kMissing));
  if (word && now - word->at > stale_after) {
    why = "stale";
    age = Seconds(now - word->at);
  } else if (word) {
    const bool is_present = word->cell.why == Why::kPresent;
    if (is_present) {
      value = static_cast<double>(word->cell.value) / std::pow(10.0, channel.decimals);
    }
    why = is_present ? Json{} : Json{NameOf(word->cell.why)};
    age = Seconds(now - word->at);
  }
  return Json::Object{{"metric", channel.metric},
                      {"instance", channel.instance},
                      {"unit", SymbolOf(channel.unit)},
                      {"value", value},
                      {"age_s", age},
                      {"why", why}};
}

}  // namespace

Json StatusReport::Make() const {
  const RecorderParts& parts = recorder_.parts();
  const BootTime now = parts.clock.Boot();
  const ClockPair clock = parts.clock.Pair();
  const OpenRun& run = recorder_.runs().open();
  const auto& view = parts.spool.view();
  return Json::Object{
      {"ok", true},
      {"boot_id", recorder_.boot().ToString()},
      {"boot_counter", view ? view->boot_counter : std::uint64_t{0}},
      {"agent", agent_},
      {"uptime_s", Seconds(now.time_since_epoch())},
      {"run", Json::Object{{"number", std::int64_t{run.number}},
                           {"name", run.name},
                           {"labels", LabelsOf(run)},
                           {"since_s", Seconds(now - run.at)}}},
      {"clock", Json::Object{{"trust", NameOfTrust(clock.trust)}, {"wall_ns", Count(clock.wall)}}},
      {"sources", Sources(now)},
      {"series", Series(now)},
      {"spool", Spool()},
      {"flight", Json::Object{{"seconds_held", Seconds(parts.flight.held())},
                              {"bytes", parts.flight.bytes()}}},
      {"drops",
       Json::Object{{"ring", parts.intake.dropped()}, {"records", recorder_.journal().refused()}}},
  };
}

Json StatusReport::Sources(BootTime now) const {
  Json list{Json::Array{}};
  const Measured measured{sources_, recorder_.parts().intake, recorder_.dictionary(),
                          recorder_.latest()};
  for (const SourceHealth& health : HealthOfAll(measured, now)) {
    list.Push(SourceOf(health));
  }
  return list;
}

Json StatusReport::Series(BootTime now) const {
  Json list{Json::Array{}};
  const Dictionary& dictionary = recorder_.dictionary();
  for (const ChannelDef& channel : dictionary.channels) {
    const Nanos period = dictionary.groups.at(Number(channel.group)).period;
    list.Push(SeriesOf(channel, recorder_.latest().Of(channel.id), now, StaleAfter(period)));
  }
  return list;
}

Json StatusReport::Spool() const {
  const auto& view = recorder_.parts().spool.view();
  if (!view) {
    return Json::Object{{"ok", false}, {"detail", "the spool is still being opened"}};
  }
  const SpoolCounters& counters = view->counters;
  std::string detail = view->last_failure;
  if (const std::string lost = LostSentence(counters); !lost.empty()) {
    detail += (detail.empty() ? "" : "; ") + lost;
  }
  return Json::Object{{"ok", !counters.is_ram_only},
                      {"bytes_used", counters.bytes_used},
                      {"max_bytes", config_.spool.max_bytes},
                      {"unacknowledged", view->unacknowledged},
                      {"evicted", counters.evicted_records + counters.ram_dropped_records},
                      {"lost", counters.lost_records},
                      {"ram_only", counters.is_ram_only},
                      {"detail", detail}};
}

}  // namespace tacho
