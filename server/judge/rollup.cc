#include "server/judge/rollup.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace tacho {
namespace {

// Squares of larger values could overflow 128 bits within 2^32 readings.
constexpr std::int64_t kSquarable = std::int64_t{1} << 48;

// Of two readings at one time the larger is the last: the order of arrival must not show.
void SeeTime(SeriesRollup& series, BootTime at, std::int64_t value) {
  series.first_at = std::min(series.first_at, at);
  if (at < series.last_at) return;
  series.last = at > series.last_at ? value : std::max(series.last, value);
  series.last_at = at;
}

// One cell of a fold that the robot made of more readings than travel one by one.
void FoldCell(SeriesRollup& series, Stat stat, BootTime at, std::int64_t value) {
  series.has_folds = true;
  switch (stat) {
    case Stat::kLast:
      SeeTime(series, at, value);
      break;
    case Stat::kMin:
      series.min = std::min(series.min, value);
      break;
    case Stat::kMax:
      series.max = std::max(series.max, value);
      break;
    case Stat::kSum:
      series.sum += value;
      break;
    case Stat::kCount:
      series.present += static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
      break;
    case Stat::kValue:
      break;
  }
}

}  // namespace

std::uint64_t SeriesRollup::absent_count() const {
  return std::accumulate(absent.begin(), absent.end(), std::uint64_t{0});
}

SeriesKey KeyOf(const ChannelDef& channel) {
  return {channel.metric, channel.instance, channel.unit, channel.decimals, channel.shape};
}

Status Folder::Fold(const Block& block, DictionaryHash hash, const Dictionary& dictionary) {
  auto& channels = channels_[hash];
  if (channels.empty()) channels.resize(dictionary.channels.size());
  for (const Column& column : block.columns) {
    if (Number(column.channel) >= dictionary.channels.size()) {
      return {Code::kCorrupt, fmt::format("a column names channel {}, the dictionary has {}",
                                          Number(column.channel), dictionary.channels.size())};
    }
  }
  SelectRows(block);
  if (rows_.empty()) return {};
  DictionarySpan span{block.times[rows_.front()], block.times[rows_.front()]};
  for (const std::uint32_t row : rows_) {
    span.first = std::min(span.first, block.times[row]);
    span.last = std::max(span.last, block.times[row]);
  }
  const auto [seen, is_new] = rollup_.dictionaries.try_emplace(hash, span);
  seen->second = {std::min(seen->second.first, span.first), std::max(seen->second.last, span.last)};
  for (const Column& column : block.columns) {
    Channel& channel = channels[Number(column.channel)];
    if (channel.series == nullptr) {
      channel.series = &rollup_.series[KeyOf(dictionary.channels[Number(column.channel)])];
      channel.histogram = std::make_unique<HistogramBuffer>(channel.series->histogram);
    }
    FoldColumn(column, block, channel);
  }
  return {};
}

void Folder::SelectRows(const Block& block) {
  rows_.clear();
  for (std::uint32_t row = 0; row < block.rows(); ++row) {
    if (rollup_.from <= block.times[row] && block.times[row] < rollup_.to) rows_.push_back(row);
  }
}

void Folder::FoldColumn(const Column& column, const Block& block, Channel& channel) {
  // A fold's absence is said once, by its kLast column. kMissing is only padding beside other rows.
  const bool counts_absence = column.stat == Stat::kValue || column.stat == Stat::kLast;
  for (const std::uint32_t row : rows_) {
    const Why why = column.why[row];
    if (why == Why::kPresent || why == Why::kMissing || !counts_absence) continue;
    ++channel.series->absent[static_cast<std::size_t>(why)];
  }
  if (column.stat == Stat::kValue) {
    FoldValues(column, block, channel);
    return;
  }
  for (const std::uint32_t row : rows_) {
    if (column.why[row] != Why::kPresent) continue;
    FoldCell(*channel.series, column.stat, block.times[row], column.values[row]);
  }
}

void Folder::FoldValues(const Column& column, const Block& block, Channel& channel) {
  SeriesRollup& series = *channel.series;
  // Local until the end of the column: this is the server's hottest loop.
  std::uint64_t present = 0;
  std::int64_t min = std::numeric_limits<std::int64_t>::max();
  std::int64_t max = std::numeric_limits<std::int64_t>::min();
  Int128 sum = 0;
  UInt128 squares = 0;
  for (const std::uint32_t row : rows_) {
    if (column.why[row] != Why::kPresent) continue;
    const std::int64_t value = column.values[row];
    SeeTime(series, block.times[row], value);
    ++present;
    min = std::min(min, value);
    max = std::max(max, value);
    sum += value;
    if (-kSquarable <= value && value <= kSquarable) {
      squares += static_cast<UInt128>(Int128{value} * value);
    } else {
      series.is_spread_unknown = true;
    }
    channel.histogram->Count(value);
  }
  if (present == 0) return;
  channel.histogram->See(min, max);
  series.present += present;
  series.min = std::min(series.min, min);
  series.max = std::max(series.max, max);
  series.sum += sum;
  series.squares += squares;
}

void Folder::Finish() {
  for (auto& [hash, channels] : channels_) {
    for (Channel& channel : channels) {
      if (channel.histogram) channel.histogram->Flush();
    }
  }
}

}  // namespace tacho
