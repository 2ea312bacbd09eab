// The latest word on each channel, for whoever asks for the status.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "daemon/recorder/row.h"

namespace tacho {

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
