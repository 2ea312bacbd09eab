// Tells a feed that is silent from one that ends, and both from one that prints nonsense.
#include "daemon/recorder/feed_port.h"

#include <algorithm>
#include <fmt/format.h>

#include "daemon/recorder/latest.h"

namespace tacho {
namespace {

std::string Joined(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty()) first += "; ";
  return first + second;
}

}  // namespace

SourceHealth FeedPort::health(BootTime now) const {
  SourceHealth health{.name = name_, .is_feed = true};
  if (!status_.ok()) {
    health.state = SourceWord::kAbsent;
    health.detail = status_.message();
    return health;
  }
  FeedHealth own = feed_->health();
  const Nanos since = now - std::max(started_, last_row_);
  const bool is_silent = since > StaleAfter(period_);
  std::string silence;
  if (is_silent) {
    const double seconds = std::chrono::duration<double>(since).count();
    silence = last_row_ == BootTime{} ? "nothing was read yet"
                                      : fmt::format("the last row came {:.0f} s ago", seconds);
  }
  health.detail = Joined(std::move(own.detail), silence);
  switch (own.what) {
    case FeedHealth::What::kEnded:
      health.state = SourceWord::kEnded;
      break;
    case FeedHealth::What::kFailing:
      health.state = SourceWord::kFailing;
      break;
    case FeedHealth::What::kRunning:
      if (is_silent) health.state = own.hears_noise ? SourceWord::kFailing : SourceWord::kSilent;
      break;
  }
  return health;
}

}  // namespace tacho
