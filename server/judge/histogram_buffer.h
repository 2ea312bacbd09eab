// Counts readings in a small hash table before they enter a histogram: a fold of many rows costs a
// tree's look-up per distinct cell, not per reading.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/histogram.h"

namespace tacho {

class HistogramBuffer {
 public:
  // `histogram` is up to date after Flush.
  explicit HistogramBuffer(Histogram& histogram) : histogram_(histogram) {}

  void Add(std::int64_t value);
  void Flush();

 private:
  struct Slot {
    std::int64_t value = 0;  // one reading of the cell stands for all
    std::uint64_t cell = 0;
    std::uint32_t count = 0;
  };
  static constexpr std::size_t kSlots = 512;
  static constexpr std::size_t kMostUsed = kSlots / 2;

  Slot& SlotOf(std::int64_t value);

  Histogram& histogram_;
  std::array<Slot, kSlots> slots_{};
  std::size_t used_ = 0;
  std::uint64_t readings_ = 0;
  std::int64_t low_ = 0;
  std::int64_t high_ = 0;
};

}  // namespace tacho
