// A source fares as the last words on its channels say.
#include "daemon/recorder/health_report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace tacho {
namespace {

// Reasons that speak against the source. A gated or disabled block is as it should be.
constexpr std::array kComplaints = {Why::kBroken, Why::kUnparsable, Why::kForbidden};

// What the last words on a source's channels were.
class Words {
 public:
  Words(const SourceState& state, const Latest& latest) {
    for (std::size_t i = 0; i < state.channels; ++i) {
      const auto word = latest.Of(ChannelId{Number(state.first) + static_cast<std::uint32_t>(i)});
      if (!word) continue;
      newest_ = std::max(newest_, word->at);
      ++counts_.at(static_cast<std::size_t>(word->cell.why));
    }
  }

  BootTime newest() const { return newest_; }
  std::size_t present() const { return counts_[static_cast<std::size_t>(Why::kPresent)]; }
  std::size_t complaints() const {
    std::size_t sum = 0;
    for (const Why why : kComplaints)
      sum += counts_[static_cast<std::size_t>(why)];
    return sum;
  }
  // "5 of 8 channels cannot be read: 3 broken, 2 unparsable"; empty if all can.
  std::string Sentence(std::size_t channels) const {
    if (complaints() == 0) return "";
    std::string text = fmt::format("{} of {} channels cannot be read:", complaints(), channels);
    const char* mark = " ";
    for (const Why why : kComplaints) {
      const std::size_t count = counts_[static_cast<std::size_t>(why)];
      if (count == 0) continue;
      text += fmt::format("{}{} {}", mark, count, NameOf(why));
      mark = ", ";
    }
    return text;
  }

 private:
  std::array<std::size_t, static_cast<std::size_t>(Why::kMissing) + 1> counts_{};
  BootTime newest_;
};

// Of a source that is in the sweep.
void LookAt(const SourceState& state, const SourceSlot& slot, const Latest& latest, BootTime now,
            SourceHealth& health) {
  if (slot.is_parked.load(std::memory_order_relaxed)) {
    health.state = SourceWord::kParked;
    health.detail = "a read of it does not return";
    return;
  }
  const Words words(state, latest);
  health.detail = words.Sentence(state.channels);
  if (words.complaints() > 0 && words.present() == 0) health.state = SourceWord::kFailing;
  if (const std::uint64_t failed = slot.failed.load(std::memory_order_relaxed); failed > 0) {
    health.detail +=
        fmt::format("{}{} of {} readings failed as a whole", health.detail.empty() ? "" : "; ",
                    failed, slot.sampled.load(std::memory_order_relaxed));
    const bool fails_now = slot.last_code.load(std::memory_order_relaxed) != Code::kOk;
    if (fails_now) health.state = SourceWord::kFailing;
  }
  const Nanos age = now - words.newest();
  if (words.newest() != BootTime{} && age > StaleAfter(slot.period)) {
    health.state = SourceWord::kSilent;
    health.detail =
        fmt::format("its last row came {:.0f} s ago", std::chrono::duration<double>(age).count());
  }
}

SourceHealth HealthOf(const SourceState& state, const SourceSlot* slot, const Latest& latest,
                      BootTime now) {
  SourceHealth health{.name = state.name, .channels = state.channels, .detail = state.detail};
  if (slot != nullptr) {
    LookAt(state, *slot, latest, now, health);
  } else {
    health.state = state.what == SourceState::What::kOff ? SourceWord::kOff : SourceWord::kAbsent;
  }
  return health;
}

}  // namespace

std::vector<SourceHealth> HealthOfAll(const Measured& measured, BootTime now) {
  std::vector<SourceHealth> all;
  const auto& slots = measured.intake.samplers().slots();
  for (const SourceState& state : measured.sources) {
    const auto slot = std::ranges::find(slots, state.name, [](const auto& s) { return s->name; });
    all.push_back(
        HealthOf(state, slot == slots.end() ? nullptr : slot->get(), measured.latest, now));
  }
  for (const auto& feed : measured.intake.feeds()) {
    SourceHealth health = feed->health(now);
    health.channels = static_cast<std::uint64_t>(
        std::ranges::count(measured.dictionary.channels, feed->group(), &ChannelDef::group));
    all.push_back(std::move(health));
  }
  return all;
}

}  // namespace tacho
