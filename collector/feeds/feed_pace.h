// How much of what a program prints is looked at, so that one that prints without end costs a few
// looks an interval and no more.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "common/time.h"

namespace tacho {

// Four samples an interval, of which some may come late and together. Pure: time is told.
class SamplePace {
 public:
  static constexpr int kAnInterval = 4;
  // So many may come at once, after the machine stood still for a moment.
  static constexpr int kAtOnce = 8;

  explicit SamplePace(Nanos interval) : step_(std::max(interval / kAnInterval, Nanos(1))) {}

  // Whether a sample that ends `now` is taken.
  bool MayTake(BootTime now) const { return now + (kAtOnce - 1) * step_ >= next_; }
  // Requires: MayTake(now).
  void Take(BootTime now) { next_ = std::max(next_, now) + step_; }

 private:
  const Nanos step_;
  BootTime next_{};  // when the next one would come if all came evenly
};

// What is read between two rests, each a quarter of an interval long. While the feed rests, the
// pipe fills and holds its writer back.
class ReadBudget {
 public:
  static constexpr std::size_t kBytes = 64 << 10;  // a pipe's worth
  static constexpr std::size_t kLines = 64;
  static constexpr int kWakes = 16;  // a program that prints letter by letter wakes us for each

  explicit ReadBudget(Nanos interval) : rest_(std::max(interval / 4, Nanos(1))) {}

  Nanos rest() const { return rest_; }
  // Says that a read at `now` gave `bytes`.
  void Took(std::size_t bytes, BootTime now) {
    if (!since_ || now - *since_ >= rest_) Begin(now);
    bytes_ += bytes;
    ++wakes_;
  }
  // Whether one more line may be looked at.
  bool TakeLine() { return lines_++ < kLines; }
  // Whether to rest before the next read; Rested() then begins anew.
  bool is_spent() const { return bytes_ >= kBytes || wakes_ >= kWakes || lines_ > kLines; }
  void Rested() { since_.reset(); }

 private:
  void Begin(BootTime now) {
    since_ = now;
    bytes_ = 0;
    lines_ = 0;
    wakes_ = 0;
  }

  const Nanos rest_;
  std::optional<BootTime> since_;
  std::size_t bytes_ = 0;
  std::size_t lines_ = 0;
  int wakes_ = 0;
};

}  // namespace tacho
