// The latest word on each channel, for whoever asks for the status.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "daemon/recorder/row.h"

namespace tacho {

// How old a word of a group may be and still count as current.
constexpr Nanos StaleAfter(Nanos period) {
  return std::max<Nanos>(3 * period, std::chrono::seconds(3));
}

// Loop thread.
class Latest {
 public:
  struct Word {
    BootTime at;
    Cell cell;
  };

  void Take(const Row& row) {
    for (const Cell& cell : row.cells) {
      const std::size_t index = Number(cell.channel);
      if (index >= words_.size()) words_.resize(index + 1);
      words_[index] = Word{.at = row.at, .cell = cell};
    }
  }

  // nullopt while nothing was ever said of the channel.
  std::optional<Word> Of(ChannelId channel) const {
    const std::size_t index = Number(channel);
    return index < words_.size() ? words_[index] : std::nullopt;
  }

 private:
  std::vector<std::optional<Word>> words_;  // channel numbers are dense
};

}  // namespace tacho
