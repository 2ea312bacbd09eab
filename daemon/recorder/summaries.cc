// Keeps a second's rows, or folds them when there are too many.
#include "daemon/recorder/summaries.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tacho {
namespace {

constexpr std::array kFolds = {Stat::kLast, Stat::kMin, Stat::kMax, Stat::kSum, Stat::kCount};

std::int64_t SecondOf(BootTime at) {
  return std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
}

// Cells in order of channel; of two with one channel, the later.
std::vector<Cell> Sorted(std::vector<Cell> cells) {
  std::ranges::stable_sort(cells, {}, &Cell::channel);
  std::vector<Cell> unique;
  for (const Cell& cell : cells) {
    if (!unique.empty() && unique.back().channel == cell.channel) unique.pop_back();
    unique.push_back(cell);
  }
  return unique;
}

Block BlockOf(const Row& row) {
  Block block{.group = row.group, .times = {row.at}, .columns = {}};
  for (const Cell& cell : Sorted(row.cells)) {
    block.columns.push_back(
        {.channel = cell.channel, .stat = Stat::kValue, .values = {cell.value}, .why = {cell.why}});
  }
  return block;
}

}  // namespace

void Fold::Add(const Cell& cell) {
  last_why_ = cell.why;
  if (cell.why != Why::kPresent) return;
  min_ = count_ == 0 ? cell.value : std::min(min_, cell.value);
  max_ = count_ == 0 ? cell.value : std::max(max_, cell.value);
  last_ = cell.value;
  sum_overflowed_ |= __builtin_add_overflow(sum_, cell.value, &sum_);
  ++count_;
}

Cell Fold::Of(ChannelId channel, Stat stat) const {
  if (count_ == 0) return {.channel = channel, .value = 0, .why = last_why_};
  // A sum past 64 bits is no number at all; the other folds still hold.
  if (stat == Stat::kSum && sum_overflowed_) {
    return {.channel = channel, .value = 0, .why = Why::kUnparsable};
  }
  const auto value = [&] {
    switch (stat) {
      case Stat::kMin:
        return min_;
      case Stat::kMax:
        return max_;
      case Stat::kSum:
        return sum_;
      case Stat::kCount:
        return count_;
      case Stat::kLast:
      case Stat::kValue:
        break;
    }
    return last_;
  };
  return {.channel = channel, .value = value(), .why = Why::kPresent};
}

void Summaries::Add(const Row& row) {
  Second& second = open_[row.group];
  if (second.count > 0 && second.number != SecondOf(row.at)) Seal(row.group, second);
  second.number = SecondOf(row.at);
  second.last = row.at;
  ++second.count;
  if (second.count <= kRawRowsPerSecond) {
    if (second.kept == second.rows.size()) second.rows.emplace_back();
    second.rows[second.kept++] = row;
    return;
  }
  for (std::size_t i = 0; i < second.kept; ++i) {
    FoldRow(second.rows[i], second.folds);
  }
  second.kept = 0;
  FoldRow(row, second.folds);
}

void Summaries::FoldRow(const Row& row, std::vector<ChannelFold>& folds) {
  for (const Cell& cell : row.cells) {
    auto at = std::ranges::lower_bound(folds, cell.channel, {}, &ChannelFold::channel);
    if (at == folds.end() || at->channel != cell.channel) {
      at = folds.insert(at, {cell.channel, {}});
    }
    at->fold.Add(cell);
  }
}

void Summaries::Tick(BootTime now) {
  for (auto& [group, second] : open_) {
    if (second.count > 0 && SecondOf(now - kGrace) > second.number) Seal(group, second);
  }
}

void Summaries::SealAll() {
  for (auto& [group, second] : open_) {
    if (second.count > 0) Seal(group, second);
  }
}

std::vector<Block> Summaries::Take() {
  std::vector<Block> taken = std::exchange(sealed_, {});
  std::ranges::sort(taken, {}, &Block::group);
  return taken;
}

void Summaries::Seal(GroupId group, Second& second) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < second.kept; ++i) {
    const Block block = BlockOf(second.rows[i]);
    Append(blocks, std::span(&block, 1));
  }
  if (!second.folds.empty()) {
    Block block{.group = group, .times = {second.last}, .columns = {}};
    for (const auto& [channel, fold] : second.folds) {
      for (const Stat stat : kFolds) {
        const Cell cell = fold.Of(channel, stat);
        block.columns.push_back(
            {.channel = channel, .stat = stat, .values = {cell.value}, .why = {cell.why}});
      }
    }
    blocks.push_back(std::move(block));
  }
  Append(sealed_, blocks);
  second.folds.clear();
  second.kept = 0;
  second.count = 0;
}

}  // namespace tacho
