// Opens every kind of source as the configuration says.
#include "daemon/recorder/source_list.h"

#include <fmt/format.h>
#include <utility>

namespace tacho {
namespace {

std::string GroupName(Nanos period, Nanos base) {
  if (period == base) return "board";
  return fmt::format("board/{}ms", period / std::chrono::milliseconds(1));
}

SourceState Open(const SourceKind& kind, const RecorderConfig& config, Channels& channels,
                 std::vector<std::unique_ptr<SourceSlot>>& slots) {
  using What = SourceState::What;
  SourceState state{.name = std::string(kind.name), .what = What::kAbsent, .detail = {}};
  const SourceConfig wanted = config.Source(state.name);
  if (!wanted.is_enabled) {
    state.what = What::kOff;
    state.detail = "switched off in the configuration";
    return state;
  }
  const Nanos period = wanted.period > Nanos::zero() ? wanted.period : config.period;
  const GroupId group = channels.AddGroup(GroupName(period, config.period), period);
  const std::size_t before = channels.Snapshot().channels.size();
  auto source = kind.open(SystemRoot{config.system_root}, channels.BookOf(group));
  if (!source.ok()) {
    state.detail = source.error()->message();
    return state;
  }
  state.what = What::kOpen;
  state.channels = channels.Snapshot().channels.size() - before;
  state.first = ChannelId{static_cast<std::uint32_t>(before)};
  slots.push_back(std::make_unique<SourceSlot>(state.name, group, period, *std::move(source)));
  return state;
}

}  // namespace

SourceList OpenSources(std::span<const SourceKind* const> kinds, const RecorderConfig& config,
                       Channels& channels) {
  SourceList list;
  channels.AddGroup(GroupName(config.period, config.period), config.period);  // always group 0
  for (const SourceKind* kind : kinds) {
    list.states.push_back(Open(*kind, config, channels, list.slots));
  }
  return list;
}

}  // namespace tacho
