// Puts sources, setup and tegrastats together; what is missing is left out.
#include "daemon/recorder/board.h"

#include <utility>

#include "collector/feeds/tegrastats_feed.h"

namespace tacho {
namespace {

// Ten seconds of a busy board at 10 Hz: far more than the loop ever leaves it alone.
constexpr std::size_t kSamplerRing = 1 << 14;
constexpr std::size_t kFeedRing = 1 << 13;

}  // namespace

Board::Board(const Clock& clock, const RecorderConfig& config, const std::string& agent)
    : setup_({config.system_root}, channels_, {{"agent", agent}}),
      sources_(OpenSources(AllSourceKinds(), config, channels_)),
      intake_(std::make_unique<SamplerPool>(clock, std::move(sources_.slots), config.period,
                                            kSamplerRing)) {
  setup_.SetLabels(config.setup);
  if (config.tegrastats.is_enabled) AddTegrastats(clock, config.tegrastats);
}

void Board::AddTegrastats(const Clock& clock, const TegrastatsConfig& config) {
  const GroupId group = channels_.AddGroup("tegrastats", config.interval);
  TegrastatsFeedConfig feed_config;
  feed_config.program = config.program;
  feed_config.interval = config.interval;
  feed_config.file = config.file.string();
  feed_config.replay_pace =
      config.replay_pace > Nanos::zero() ? config.replay_pace : config.interval;
  const auto is_taken = [this, group](std::string_view metric, std::string_view instance) {
    return channels_.IsTakenBeside(group, metric, instance);
  };
  auto feed =
      std::make_unique<TegrastatsFeed>(feed_config, clock, channels_.BookOf(group), is_taken);
  tegrastats_ = &feed->counters();
  intake_.Add(
      std::make_unique<FeedPort>("tegrastats", group, config.interval, kFeedRing, std::move(feed)));
}

}  // namespace tacho
