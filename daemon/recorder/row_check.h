// Believes no value that its quantity cannot have.
#pragma once

#include <cstddef>
#include <vector>

#include "collector/bounds.h"
#include "common/dictionary.h"
#include "daemon/recorder/row.h"

namespace tacho {

// Loop thread. Every row passes here before anything keeps it, of sources and feeds alike.
class RowCheck {
 public:
  // Channels past those known so far.
  void Learn(const Dictionary& dictionary) {
    for (std::size_t i = bounds_.size(); i < dictionary.channels.size(); ++i) {
      const ChannelDef& channel = dictionary.channels[i];
      bounds_.push_back(BoundsOf(channel.unit, channel.decimals));
    }
  }

  // The row itself, or a copy in which what cannot be is absent, as unparsable; valid until the
  // next call.
  const Row& Checked(const Row& row) {
    bool is_copied = false;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Cell& cell = row.cells[i];
      const std::size_t channel = Number(cell.channel);
      if (cell.why != Why::kPresent || channel >= bounds_.size()) continue;
      if (bounds_[channel].Has(cell.value)) continue;
      if (!is_copied) copy_ = row;
      is_copied = true;
      copy_.cells[i] = {.channel = cell.channel, .value = 0, .why = Why::kUnparsable};
    }
    return is_copied ? copy_ : row;
  }

 private:
  std::vector<Bounds> bounds_;  // by channel number, which are dense
  Row copy_;
};

}  // namespace tacho
