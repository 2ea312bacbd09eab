// What the rows of one run fold to: counts, sums, extremes and histograms of every series.
//
// Folding is adding, so that the order in which rows arrive never shows (docs/formats/store.md).
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/codec/block.h"
#include "common/dictionary.h"
#include "common/histogram.h"
#include "common/seq_ranges.h"
#include "common/status.h"
#include "server/judge/histogram_buffer.h"

namespace tacho {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

struct SeriesKey {
  std::string metric;
  std::string instance;
  Unit unit{};
  int decimals = 0;
  Shape shape{};
  auto operator<=>(const SeriesKey&) const = default;
};

struct SeriesRollup {
  std::uint64_t present = 0;              // readings, those inside folds included
  std::array<std::uint64_t, 7> absent{};  // by Why; kPresent and kMissing are never counted
  Int128 sum = 0;
  UInt128 squares = 0;
  bool has_folds = false;          // some came folded: no quantiles, no spread
  bool is_spread_unknown = false;  // a value too large for the sum of squares
  // The far ends of their ranges until a reading comes: meaningful where present > 0.
  std::int64_t min = std::numeric_limits<std::int64_t>::max();
  std::int64_t max = std::numeric_limits<std::int64_t>::min();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  BootTime first_at = BootTime::max();
  BootTime last_at = BootTime::min();
  Histogram histogram;

  std::uint64_t absent_count() const;
  bool operator==(const SeriesRollup&) const = default;
};

// The smallest and largest time of the rows that name a dictionary.
struct DictionarySpan {
  BootTime first;
  BootTime last;
  bool operator==(const DictionarySpan&) const = default;
};

struct RunRollup {
  BootTime from;  // rows in [from, to) count
  BootTime to;
  std::map<std::pair<Epoch, Tier>, SeqRanges> folded;
  std::map<DictionaryHash, DictionarySpan> dictionaries;
  std::map<SeriesKey, SeriesRollup> series;
  bool operator==(const RunRollup&) const = default;
};

// Folds blocks into one rollup, which is whole after Finish. Lives no longer than the rollup.
class Folder {
 public:
  explicit Folder(RunRollup& rollup) : rollup_(rollup) {}
  ~Folder() { Finish(); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  // Fails with kCorrupt where a column names no channel of `dictionary`; nothing is folded then.
  Status Fold(const Block& block, DictionaryHash hash, const Dictionary& dictionary);
  void Finish();

 private:
  // A channel of one dictionary: its series, and readings on their way into its histogram.
  struct Channel {
    SeriesRollup* series = nullptr;
    std::unique_ptr<HistogramBuffer> histogram;
  };
  void FoldColumn(const Column& column, const Block& block, Channel& channel);
  void FoldValues(const Column& column, const Block& block, Channel& channel);
  void SelectRows(const Block& block);

  RunRollup& rollup_;
  std::map<DictionaryHash, std::vector<Channel>> channels_;  // by channel number
  std::vector<std::uint32_t> rows_;
};

SeriesKey KeyOf(const ChannelDef& channel);

std::vector<std::byte> Encode(const RunRollup& rollup);
Result<RunRollup> DecodeRollup(std::span<const std::byte> bytes);

}  // namespace tacho
