#include "server/judge/readings.h"

#include <algorithm>
#include <deque>
#include <tuple>

namespace tacho {
namespace {

double SecondsOf(Nanos nanos) {
  return std::chrono::duration<double>(nanos).count();
}

const Column* ColumnOf(const Block& block, ChannelId channel, Stat stat) {
  for (const Column& column : block.columns) {
    if (column.channel == channel && column.stat == stat) return &column;
  }
  return nullptr;
}

std::optional<std::int64_t> Cell(const Column* column, std::size_t row) {
  if (column == nullptr || column->why[row] != Why::kPresent) return std::nullopt;
  return column->values[row];
}

// The sliding extreme of one window: front() is the index of its least level.
class Window {
 public:
  explicit Window(std::vector<std::int64_t> levels) : levels_(std::move(levels)) {}
  void Take(std::size_t index) {
    while (!held_.empty() && levels_[held_.back()] >= levels_[index])
      held_.pop_back();
    held_.push_back(index);
  }
  void DropBefore(std::size_t index) {
    while (!held_.empty() && held_.front() < index)
      held_.pop_front();
  }
  std::int64_t least() const { return levels_[held_.front()]; }

 private:
  std::vector<std::int64_t> levels_;
  std::deque<std::size_t> held_;
};

}  // namespace

void CollectReadings(const Block& block, ChannelId channel, BootTime from, BootTime to,
                     std::vector<SeriesReading>& to_here) {
  const Column* value = ColumnOf(block, channel, Stat::kValue);
  const Column* last = ColumnOf(block, channel, Stat::kLast);
  const Column* low = ColumnOf(block, channel, Stat::kMin);
  const Column* high = ColumnOf(block, channel, Stat::kMax);
  const Column* sum = ColumnOf(block, channel, Stat::kSum);
  const Column* count = ColumnOf(block, channel, Stat::kCount);
  for (std::size_t row = 0; row < block.rows(); ++row) {
    const BootTime at = block.times[row];
    if (at < from || at >= to) continue;
    if (const auto raw = Cell(value, row)) {
      to_here.push_back({at, *raw, *raw, *raw, static_cast<double>(*raw)});
    }
    const auto folded = Cell(last, row);
    const auto readings = Cell(count, row);
    if (!folded || readings.value_or(0) <= 0) continue;
    to_here.push_back(
        {at, *folded, Cell(low, row).value_or(*folded), Cell(high, row).value_or(*folded),
         static_cast<double>(Cell(sum, row).value_or(*folded)) / static_cast<double>(*readings)});
  }
}

void SortReadings(std::vector<SeriesReading>& readings) {
  std::sort(readings.begin(), readings.end(), [](const SeriesReading& a, const SeriesReading& b) {
    return std::tie(a.at, a.last, a.low, a.high) < std::tie(b.at, b.last, b.low, b.high);
  });
}

Nanos GapAfter(Nanos period) {
  return period * 5 / 2;  // one late or lost reading is no gap
}

std::optional<OverTime> IntegralOf(std::span<const SeriesReading> readings, Nanos period) {
  OverTime total;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const Nanos step = readings[i].at - readings[i - 1].at;
    if (step > GapAfter(period)) continue;
    total.value += (readings[i].mean + readings[i - 1].mean) / 2 * SecondsOf(step);
    total.covered += step;
  }
  if (total.covered <= Nanos{0}) return std::nullopt;
  return total;
}

std::optional<OverTime> RateOf(std::span<const SeriesReading> readings) {
  if (readings.size() < 2) return std::nullopt;
  const Nanos covered = readings.back().at - readings.front().at;
  if (covered <= Nanos{0}) return std::nullopt;
  double grown = 0;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const auto now = static_cast<double>(readings[i].last);
    const auto before = static_cast<double>(readings[i - 1].last);
    grown += now >= before ? now - before : now;
  }
  return OverTime{grown / SecondsOf(covered), covered};
}

std::optional<std::int64_t> HeldLevel(std::span<const SeriesReading> readings, Nanos hold,
                                      Nanos period, bool is_upper) {
  std::vector<std::int64_t> levels;
  levels.reserve(readings.size());
  // For a lower limit everything is mirrored: -x - 1 turns the order round without overflow.
  for (const SeriesReading& reading : readings)
    levels.push_back(is_upper ? reading.low : ~reading.high);
  Window window(std::move(levels));
  std::optional<std::int64_t> best;
  std::size_t start = 0;  // of the window: as late as it still spans `hold`
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (i > 0 && readings[i].at - readings[i - 1].at > GapAfter(period)) {
      start = i;
      window.DropBefore(i);
    }
    window.Take(i);
    while (start < i && readings[i].at - readings[start + 1].at >= hold)
      ++start;
    window.DropBefore(start);
    if (readings[i].at - readings[start].at < hold) continue;
    best = std::max(best.value_or(window.least()), window.least());
  }
  if (!best) return std::nullopt;
  return is_upper ? *best : ~*best;
}

}  // namespace tacho
