// What questions share: reading their arguments, and the parts of their answers.
#include <algorithm>
#include <fmt/format.h>

#include "common/toml.h"
#include "server/query.h"

namespace tacho {
namespace {

constexpr std::string_view kSeverities[] = {"info", "warning", "error"};  // by Severity

}  // namespace

const Json* Arguments::Find(std::string_view key) {
  asked_.emplace_back(key);
  const Json& value = json_[key];
  return value.is_null() ? nullptr : &value;
}

void Arguments::Complain(std::string_view key, std::string_view what) {
  if (complaint_.empty()) complaint_ = fmt::format("argument {}: {}", key, what);
}

std::string Arguments::Text(std::string_view key, std::string fallback) {
  const Json* value = Find(key);
  if (value == nullptr) return fallback;
  if (!value->is_text()) Complain(key, "is no text");
  return value->AsText(fallback);
}

std::int64_t Arguments::Int(std::string_view key, std::int64_t fallback, std::int64_t least,
                            std::int64_t most) {
  const Json* value = Find(key);
  if (value == nullptr) return fallback;
  if (!value->is_number()) Complain(key, "is no number");
  const std::int64_t number = value->AsInt(fallback);
  if (number < least || number > most) {
    Complain(key, fmt::format("is {}, allowed are {} to {}", number, least, most));
  }
  return number;
}

double Arguments::Number(std::string_view key, double fallback, double least, double most) {
  const Json* value = Find(key);
  if (value == nullptr) return fallback;
  if (!value->is_number()) Complain(key, "is no number");
  const double number = value->AsDouble(fallback);
  if (!(number >= least && number <= most)) {
    Complain(key, fmt::format("is {}, allowed are {} to {}", number, least, most));
  }
  return number;
}

std::vector<std::string> Arguments::Texts(std::string_view key) {
  const Json* value = Find(key);
  std::vector<std::string> texts;
  if (value == nullptr) return texts;
  if (!value->is_array()) Complain(key, "is no list");
  for (const Json& item : value->items()) {
    if (!item.is_text()) Complain(key, "holds what is no text");
    texts.push_back(item.AsText());
  }
  return texts;
}

bool Arguments::Bool(std::string_view key, bool fallback) {
  const Json* value = Find(key);
  return value == nullptr ? fallback : value->AsBool(fallback);
}

std::optional<WallTime> Arguments::Wall(std::string_view key) {
  const Json* value = Find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) Complain(key, "is no time in nanoseconds");
  return WallTimeOf(value->AsInt());
}

std::map<std::string, std::optional<std::string>> Arguments::TextsOrNulls(std::string_view key) {
  std::map<std::string, std::optional<std::string>> texts;
  const Json* value = Find(key);
  if (value == nullptr) return texts;
  if (!value->is_object()) Complain(key, "is no object of texts");
  for (const auto& [name, text] : value->members()) {
    if (!text.is_text() && !text.is_null()) Complain(key, "holds what is no text");
    texts[name] = text.is_null() ? std::nullopt : std::optional(text.AsText());
  }
  return texts;
}

RunFilter Arguments::Runs(std::int64_t most) {
  RunFilter filter;
  filter.robot = Text("robot", filter.robot);
  filter.name = Text("name", filter.name);
  filter.since = Wall("since_wall_ns");
  filter.until = Wall("until_wall_ns");
  filter.limit =
      static_cast<std::size_t>(Int("limit", static_cast<std::int64_t>(filter.limit), 1, most));
  return filter;
}

bool Arguments::Has(std::string_view key) {
  return Find(key) != nullptr;
}

Status Arguments::Finish() {
  for (const auto& [key, value] : json_.members()) {
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    const auto near = NearestWord(key, asked_);
    Complain(key, near ? fmt::format("is not known (did you mean {}?)", *near)
                       : std::string("is not known"));
  }
  if (complaint_.empty()) return {};
  return {Code::kInvalid, complaint_};
}

Json WallOrNull(std::optional<WallTime> wall) {
  return wall ? Json(Count(*wall)) : Json();
}

Json BootOrNull(std::optional<BootTime> boot) {
  return boot ? Json(Count(*boot)) : Json();
}

Json WallOrNull(const WallEstimate& wall) {
  return WallOrNull(wall.wall);
}

Json NumberOrNull(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

Json ObjectOf(const std::map<std::string, std::string>& texts) {
  Json object(Json::Object{});
  for (const auto& [key, value] : texts)
    object.Set(key, value);
  return object;
}

Json AbsentOf(const JudgedSeries& series) {
  Json absent(Json::Object{});
  std::uint64_t said = series.rollup.present;
  for (std::size_t why = 1; why < series.rollup.absent.size(); ++why) {
    const std::uint64_t count = series.rollup.absent[why];
    if (count > 0) absent.Set(std::string(NameOf(static_cast<Why>(why))), count);
    said += count;
  }
  if (series.expected > said) {
    absent.Set(std::string(NameOf(Why::kMissing)), series.expected - said);
  }
  return absent;
}

Json RunOf(const RunView& run, const Standing& standing) {
  const RunSpan& span = run.span;
  const WallEstimate opened = run.WallAt(span.from);
  const WallEstimate closed = run.WallAt(span.ended);
  const bool is_open = span.state == RunState::kOpen;
  return Json::Object{
      {"run", NameOfRun(run)},
      {"robot", run.boot.key.robot},
      {"name", span.row.name},
      {"state", NameOf(span.state)},
      {"reason", span.reason},
      {"opened_wall_ns", WallOrNull(opened)},
      {"is_opening_lost", !span.row.opened.has_value()},
      {"closed_wall_ns", is_open ? Json() : WallOrNull(closed)},
      {"last_wall_ns", WallOrNull(closed)},
      {"clock_trust", NameOf(opened.trust)},
      {"duration_s", std::chrono::duration<double>(span.ended - span.from).count()},
      {"coverage", standing.coverage},
      {"verdict", standing.verdict},
      {"labels", ObjectOf(span.row.labels)},
  };
}

Json EventOf(const Event& event, const WallEstimate& wall) {
  return Json::Object{{"at_wall_ns", WallOrNull(wall)},
                      {"boot_ns", Count(event.at)},
                      {"severity", NameOf(event.severity)},
                      {"kind", event.kind},
                      {"detail", event.detail}};
}

std::string_view NameOf(Severity severity) {
  const auto index = static_cast<std::size_t>(severity);
  return index < std::size(kSeverities) ? kSeverities[index] : kSeverities[0];
}

std::optional<Severity> ParseSeverity(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kSeverities); ++i) {
    if (kSeverities[i] == name) return static_cast<Severity>(i);
  }
  return std::nullopt;
}

std::string_view StateOf(const QueryContext& context, const RobotRow& robot) {
  const WallTime now = context.clock.Pair().wall;
  if (robot.is_retired) return "retired";
  if (robot.quarantined_until && now < *robot.quarantined_until) return "quarantined";
  // main.db's contacts too: the ingest read them.
  if (!context.presence.LastHeard(robot.robot)) return "never";
  return context.silence.Of(robot.robot) == Nanos{0} ? "live" : "silent";
}

Json VerdictOf(const Judgement& judgement) {
  return Json::Object{
      {"budget", judgement.budget},
      {"metric", judgement.metric},
      {"instance", judgement.instance},
      {"statistic", NameOf(judgement.statistic)},
      {"for_ns", judgement.held_for.count()},
      {"value", NumberOrNull(judgement.value)},
      {"low", NumberOrNull(judgement.low)},
      {"high", NumberOrNull(judgement.high)},
      {"limit", judgement.limit},
      {"comparison", judgement.is_upper ? "<=" : ">="},
      {"unit", judgement.unit},
      {"verdict", NameOf(judgement.verdict)},
      {"reason", judgement.reason},
      {"count", judgement.count},
      {"expected", judgement.expected},
      {"coverage", judgement.coverage},
  };
}

}  // namespace tacho
