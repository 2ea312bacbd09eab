// Words for how sources fare, and the events of their changes.
#include "daemon/recorder/source_health.h"

namespace tacho {
namespace {

bool IsTrouble(SourceWord word) {
  return word == SourceWord::kSilent || word == SourceWord::kEnded || word == SourceWord::kFailing;
}

// What a parked source is has its own events; what is absent or off was so from the start.
bool IsToldElsewhere(SourceWord word) {
  return !IsTrouble(word) && word != SourceWord::kOk;
}

std::string TitleOf(const SourceHealth& health) {
  return (health.is_feed ? "feed " : "source ") + health.name;
}

Event LossOf(const SourceHealth& health, BootTime now) {
  std::string detail = TitleOf(health) + " is " + std::string(NameOf(health.state));
  if (health.state == SourceWord::kEnded) detail = TitleOf(health) + " has ended";
  if (!health.detail.empty()) detail += ": " + health.detail;
  // A log is meant to end.
  const bool is_meant = health.state == SourceWord::kEnded;
  return {.at = now,
          .severity = is_meant ? Severity::kInfo : Severity::kWarning,
          .kind = "sensor_lost",
          .detail = std::move(detail)};
}

}  // namespace

std::string_view NameOf(SourceWord word) {
  switch (word) {
    case SourceWord::kOk:
      break;
    case SourceWord::kSilent:
      return "silent";
    case SourceWord::kEnded:
      return "ended";
    case SourceWord::kFailing:
      return "failing";
    case SourceWord::kParked:
      return "parked";
    case SourceWord::kAbsent:
      return "absent";
    case SourceWord::kOff:
      return "off";
  }
  return "ok";
}

std::vector<Event> HealthWatch::Look(std::span<const SourceHealth> all, BootTime now) {
  std::vector<Event> events;
  for (const SourceHealth& health : all) {
    if (IsToldElsewhere(health.state)) continue;
    Told& told = told_[health.name];
    if (IsTrouble(health.state)) {
      told.last_bad = now;
      if (told.word != health.state) events.push_back(LossOf(health, now));
      told.word = health.state;
    } else if (told.word != SourceWord::kOk && now - told.last_bad >= kSettled) {
      told.word = SourceWord::kOk;
      events.push_back({.at = now,
                        .severity = Severity::kInfo,
                        .kind = "sensor_back",
                        .detail = TitleOf(health) + " is read again"});
    }
  }
  return events;
}

}  // namespace tacho
