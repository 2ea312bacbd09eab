// The status as JSON, part by part.
#include "daemon/recorder/status_report.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

Json OneSource(const SourceState& state, const SourceSlot* slot) {
  std::string word = state.what == SourceState::What::kOff ? "off" : "absent";
  std::string detail = state.detail;
  if (slot != nullptr) {
    const bool is_parked = slot->is_parked.load(std::memory_order_relaxed);
    const std::uint64_t failed = slot->failed.load(std::memory_order_relaxed);
    word = is_parked ? "parked" : "ok";
    if (is_parked) detail = "a read of it does not return";
    if (!is_parked && failed > 0) {
      detail = fmt::format("{} of {} readings failed as a whole", failed,
                           slot->sampled.load(std::memory_order_relaxed));
    }
  }
  return Json::Object{{"name", state.name},
                      {"state", word},
                      {"channels", std::uint64_t{state.channels}},
                      {"detail", detail}};
}

Json SeriesOf(const ChannelDef& channel, const std::optional<Latest::Word>& word, BootTime now) {
  Json value;
  Json age;
  Json why = std::string(NameOf(Why::kMissing));
  if (word) {
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
                           {"since_s", Seconds(now - run.at)}}},
      {"clock", Json::Object{{"trust", NameOfTrust(clock.trust)}, {"wall_ns", Count(clock.wall)}}},
      {"sources", Sources()},
      {"series", Series(now)},
      {"spool", Spool()},
      {"flight", Json::Object{{"seconds_held", Seconds(parts.flight.held())},
                              {"bytes", parts.flight.bytes()}}},
      {"drops",
       Json::Object{{"ring", parts.intake.dropped()}, {"records", recorder_.journal().refused()}}},
  };
}

Json StatusReport::Sources() const {
  Json list{Json::Array{}};
  const auto& slots = recorder_.parts().intake.samplers().slots();
  for (const SourceState& state : sources_) {
    const auto slot = std::ranges::find(slots, state.name, [](const auto& s) { return s->name; });
    list.Push(OneSource(state, slot == slots.end() ? nullptr : slot->get()));
  }
  for (const auto& feed : recorder_.parts().intake.feeds()) {
    const bool is_ok = feed->status().ok();
    const auto channels =
        std::ranges::count(recorder_.dictionary().channels, feed->group(), &ChannelDef::group);
    list.Push(Json::Object{{"name", feed->name()},
                           {"state", is_ok ? "ok" : "absent"},
                           {"channels", std::int64_t{channels}},
                           {"detail", feed->status().message()}});
  }
  return list;
}

Json StatusReport::Series(BootTime now) const {
  Json list{Json::Array{}};
  for (const ChannelDef& channel : recorder_.dictionary().channels) {
    list.Push(SeriesOf(channel, recorder_.latest().Of(channel.id), now));
  }
  return list;
}

Json StatusReport::Spool() const {
  const auto& view = recorder_.parts().spool.view();
  if (!view) {
    return Json::Object{{"ok", false}, {"detail", "the spool is still being opened"}};
  }
  const SpoolCounters& counters = view->counters;
  return Json::Object{{"ok", !counters.is_ram_only},
                      {"bytes_used", counters.bytes_used},
                      {"max_bytes", config_.spool.max_bytes},
                      {"unacknowledged", view->unacknowledged},
                      {"evicted", counters.evicted_records + counters.ram_dropped_records},
                      {"ram_only", counters.is_ram_only},
                      {"detail", view->last_failure}};
}

}  // namespace tacho
