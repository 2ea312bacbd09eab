#include "server/timeline.h"

#include <algorithm>

namespace tacho {
namespace {

constexpr std::string_view kUncleanEnd = "unclean end";

// The next opening after `at`: what ends a run that nobody closed.
std::optional<BootTime> NextOpening(const std::vector<RunRow>& runs, std::size_t after) {
  for (std::size_t i = after + 1; i < runs.size(); ++i) {
    if (runs[i].opened) return runs[i].opened;
  }
  return std::nullopt;
}

BootTime StartOf(const RunRow& run, const std::vector<RunSpan>& before, const BootRow& boot) {
  if (run.opened) return *run.opened;
  if (!before.empty()) return before.back().to;
  return boot.first_seen.value_or(BootTime{});
}

// Where the boot was last seen while this run lasted.
BootTime LastSeen(const RunSpan& span, const BootRow& boot) {
  const BootTime seen = std::max(boot.last_seen.value_or(span.from), span.from);
  return std::min(seen, span.to);
}

}  // namespace

std::string_view NameOf(RunState state) {
  switch (state) {
    case RunState::kOpen:
      return "open";
    case RunState::kClosed:
      return "closed";
    case RunState::kUnclean:
      return "unclean";
  }
  return "open";
}

std::vector<RunSpan> TimelineOf(const std::vector<RunRow>& runs, const BootRow& boot,
                                bool is_newest) {
  std::vector<RunSpan> spans;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    RunSpan span;
    span.row = runs[i];
    span.from = StartOf(runs[i], spans, boot);
    const auto next = NextOpening(runs, i);
    span.to = std::min(runs[i].closed.value_or(BootTime::max()), next.value_or(BootTime::max()));
    span.to = std::max(span.to, span.from);
    span.ended = span.to;
    span.reason = runs[i].close_reason;
    if (runs[i].closed) {
      span.state = span.reason == kUncleanEnd ? RunState::kUnclean : RunState::kClosed;
    } else if (next) {
      span.state = RunState::kClosed;
      span.reason = "next run";
    } else {
      span.ended = LastSeen(span, boot);
      span.state = is_newest ? RunState::kOpen : RunState::kUnclean;
      span.reason = is_newest ? "" : kUncleanEnd;
    }
    spans.push_back(std::move(span));
  }
  return spans;
}

}  // namespace tacho
