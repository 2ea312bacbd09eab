// Starts, stops and counts what measures.
#include "daemon/recorder/intake.h"

#include "common/log.h"

namespace tacho {

void Intake::Start(BootTime now) {
  samplers_->Start();
  for (const auto& feed : feeds_) {
    feed->Start(now);
    const Status& status = feed->status();
    if (status.ok()) continue;
    const bool is_absent = status.code() == Code::kNotFound;
    Log(is_absent ? LogLevel::kInfo : LogLevel::kWarning,
        "feed " + feed->name() + " is left out: " + status.message());
  }
}

void Intake::Stop() {
  samplers_->Stop();
  for (const auto& feed : feeds_)
    feed->Stop();
}

std::uint64_t Intake::dropped() const {
  std::uint64_t dropped = samplers_->counters().dropped;
  for (const auto& feed : feeds_)
    dropped += feed->dropped();
  return dropped;
}

}  // namespace tacho
