// Which channel a reading of tegrastats goes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/parse/tegrastats.h"
#include "collector/source.h"

namespace tacho {

// True if a source of ours measures this already: tegrastats serves only the rest.
using IsTaken = std::function<bool(std::string_view metric, std::string_view instance)>;

// A channel, and what turns a printed number into its value.
struct TegrastatsChannel {
  ChannelId id{};
  std::int64_t scale = 1;
};

// Lives on the feed's thread. Names a channel when a reading of it comes for the first time, and
// allocates only then.
class TegrastatsChannels {
 public:
  // What is over is never named; dropped() counts its readings.
  static constexpr std::size_t kMaxChannels = 512;

  TegrastatsChannels(ChannelBook& book, IsTaken is_taken)
      : book_(book), is_taken_(std::move(is_taken)) {}

  // nullopt if a source of ours has it.
  std::optional<TegrastatsChannel> Of(const TegrastatsReading& reading);

  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Entry {
    TegrastatsKind kind;
    int index;
    std::string name;
    std::optional<TegrastatsChannel> channel;
  };

  const Entry* Find(const TegrastatsReading& reading);
  Entry Name(const TegrastatsReading& reading);

  ChannelBook& book_;
  IsTaken is_taken_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;  // a line's readings come in the order of the line before
  std::uint64_t dropped_ = 0;
};

}  // namespace tacho
