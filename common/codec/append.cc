// Rows after rows: how seconds become batches and batches become chunks.
#include <cassert>
#include <utility>

#include "common/codec/block.h"
#include "common/codec/column.h"

namespace tacho {
namespace {

std::int64_t KeyOf(const Column& column) {
  return KeyOf(column.channel, column.stat);
}

// Ends the column at `rows` with rows nobody asked in. Growing by resize keeps many appends linear.
void FillMissing(Column& column, std::size_t rows) {
  column.values.resize(rows, 0);
  column.why.resize(rows, Why::kMissing);
}

void AppendValues(Column& to, const Column& more) {
  to.values.insert(to.values.end(), more.values.begin(), more.values.end());
  to.why.insert(to.why.end(), more.why.begin(), more.why.end());
}

bool HasSameColumns(const Block& a, const Block& b) {
  if (a.columns.size() != b.columns.size()) return false;
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    if (KeyOf(a.columns[i]) != KeyOf(b.columns[i])) return false;
  }
  return true;
}

// Gives `to` an empty column, still without rows, for each that only `more` has. Both are sorted.
void AddColumns(Block& to, const Block& more) {
  std::vector<Column> all;
  all.reserve(to.columns.size() + more.columns.size());
  auto old = to.columns.begin();
  for (const Column& column : more.columns) {
    while (old != to.columns.end() && KeyOf(*old) < KeyOf(column)) {
      all.push_back(std::move(*old++));
    }
    if (old != to.columns.end() && KeyOf(*old) == KeyOf(column)) {
      all.push_back(std::move(*old++));
      continue;
    }
    all.push_back({column.channel, column.stat, {}, {}});
  }
  all.insert(all.end(), std::make_move_iterator(old), std::make_move_iterator(to.columns.end()));
  to.columns = std::move(all);
}

}  // namespace

void Append(Block& to, const Block& more) {
  assert(to.group == more.group);
  if (!HasSameColumns(to, more)) AddColumns(to, more);
  const std::size_t rows = to.rows();
  to.times.insert(to.times.end(), more.times.begin(), more.times.end());
  auto next = more.columns.begin();
  for (Column& column : to.columns) {
    FillMissing(column, rows);  // only a new one has fewer
    if (next != more.columns.end() && KeyOf(*next) == KeyOf(column)) {
      AppendValues(column, *next++);
    } else {
      FillMissing(column, to.rows());
    }
  }
}

void Append(std::vector<Block>& to, std::span<const Block> more) {
  for (const Block& block : more) {
    Block* home = nullptr;
    for (Block& held : to) {
      if (held.group == block.group) home = &held;
    }
    if (home != nullptr) {
      Append(*home, block);
    } else {
      to.push_back(block);
    }
  }
}

}  // namespace tacho
