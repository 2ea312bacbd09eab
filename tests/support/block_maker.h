// Makes blocks for tests and benches: by hand, at random, and like a robot's 60 channels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "common/codec/block.h"

namespace tacho {

// A column in which every row is present.
inline Column FullColumn(ChannelId channel, std::vector<std::int64_t> values,
                         Stat stat = Stat::kValue) {
  std::vector<Why> why(values.size(), Why::kPresent);
  return {channel, stat, std::move(values), std::move(why)};
}

// Rows a second apart from one second on.
inline Block SteadyBlock(GroupId group, std::size_t rows) {
  Block block;
  block.group = group;
  for (std::size_t i = 0; i < rows; ++i) {
    block.times.push_back(BootTimeOf(1'000'000'000 * static_cast<std::int64_t>(i + 1)));
  }
  return block;
}

// The channels of research in storage cost: memory, loads, clocks, temperatures in steps of 1/32 C,
// rails, voltages and kernel durations of 60 channels at 1 Hz with 60 us of jitter. The same seed
// gives the same values everywhere: only the generator is taken from the library, no distribution.
class RobotMaker {
 public:
  explicit RobotMaker(std::uint64_t seed) : random_(seed) {}

  Block Make(std::size_t rows) {
    Block block;
    for (std::size_t i = 0; i < rows; ++i) {
      const double jitter = 60'000 * Gauss();
      block.times.push_back(BootTimeOf(1'000'000'000 * static_cast<std::int64_t>(i + 1) +
                                       static_cast<std::int64_t>(jitter)));
    }
    Walks(block, 2, {.middle = 7500, .step = 2, .pull = 0.02, .grain = 1});
    Noises(block, 10, {.least = 5, .most = 60, .spread = 6, .grain = 1, .ceiling = 100});
    Noises(block, 4, {.least = 20, .most = 90, .spread = 8, .grain = 1, .ceiling = 100});
    for (int i = 0; i < 8; ++i) {
      Add(block, Ladder(rows));
    }
    Walks(block, 10, {.middle = 50'000, .step = 40, .pull = 0.02, .grain = 31.25});
    Noises(block, 8, {.least = 2000, .most = 20'000, .spread = 300, .grain = 4, .ceiling = 1e9});
    Noises(block, 4, {.least = 5000, .most = 19'000, .spread = 12, .grain = 8, .ceiling = 1e9});
    for (int i = 0; i < 14; ++i) {
      Add(block, Durations(rows));
    }
    return block;
  }

 private:
  struct Walk {
    double middle, step, pull, grain;
  };
  struct Noise {
    double least, most, spread, grain, ceiling;
  };

  double Uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double Gauss() {
    // Box and Muller; the library's normal distribution differs between libraries.
    const double radius = std::sqrt(-2 * std::log(1 - Uniform()));
    return radius * std::cos(6.283185307179586 * Uniform());
  }
  static std::int64_t Grained(double value, double grain) {
    return static_cast<std::int64_t>(grain * std::round(value / grain));
  }
  static void Add(Block& block, std::vector<std::int64_t> values) {
    const auto id = static_cast<std::uint32_t>(block.columns.size());
    block.columns.push_back(FullColumn(ChannelId{id}, std::move(values)));
  }

  void Walks(Block& block, int count, const Walk& walk) {
    for (int i = 0; i < count; ++i) {
      const double middle = walk.middle * (0.8 + 0.4 * Uniform());
      double at = middle;
      std::vector<std::int64_t> values;
      for (std::size_t row = 0; row < block.rows(); ++row) {
        at += walk.step * Gauss() + walk.pull * (middle - at);
        values.push_back(Grained(at, walk.grain));
      }
      Add(block, std::move(values));
    }
  }

  void Noises(Block& block, int count, const Noise& noise) {
    for (int i = 0; i < count; ++i) {
      const double middle = noise.least + (noise.most - noise.least) * Uniform();
      std::vector<std::int64_t> values;
      for (std::size_t row = 0; row < block.rows(); ++row) {
        const double value = middle + noise.spread * Gauss();
        values.push_back(Grained(std::clamp(value, 0.0, noise.ceiling), noise.grain));
      }
      Add(block, std::move(values));
    }
  }

  std::vector<std::int64_t> Ladder(std::size_t rows) {
    constexpr std::array<std::int64_t, 6> kMegahertz = {729, 1190, 1420, 1728, 1958, 2201};
    std::size_t rung = random_() % kMegahertz.size();
    std::vector<std::int64_t> values;
    for (std::size_t row = 0; row < rows; ++row) {
      if (Uniform() < 0.15) rung = random_() % kMegahertz.size();
      values.push_back(kMegahertz[rung]);
    }
    return values;
  }

  std::vector<std::int64_t> Durations(std::size_t rows) {
    const double median = std::exp(std::log(1e5) + std::log(40.0) * Uniform());
    std::vector<std::int64_t> values;
    for (std::size_t row = 0; row < rows; ++row) {
      values.push_back(static_cast<std::int64_t>(median * std::exp(0.15 * Gauss())));
    }
    return values;
  }

  std::mt19937_64 random_;
};

// A block no robot would send: extremes, constants, holes of every kind, times that jump.
inline Block HostileBlock(std::mt19937_64& random, std::size_t rows, std::size_t columns) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto wild = [&]() -> std::int64_t {
    switch (random() % 6) {
      case 0:
        return kLeast;
      case 1:
        return kMost;
      case 2:
        return static_cast<std::int64_t>(random());
      case 3:
        return 400 * static_cast<std::int64_t>(random() % 10);
      default:
        return static_cast<std::int64_t>(random() % 100) - 50;
    }
  };
  Block block;
  block.group = GroupId{static_cast<std::uint16_t>(random())};
  for (std::size_t i = 0; i < rows; ++i) {
    block.times.push_back(BootTimeOf(wild()));
  }
  std::uint32_t channel = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    channel += 1 + static_cast<std::uint32_t>(random() % 3);
    Column column{ChannelId{channel}, static_cast<Stat>(random() % 6), {}, {}};
    const std::uint64_t kind = random() % 5;
    for (std::size_t i = 0; i < rows; ++i) {
      const bool is_absent = kind == 0 || (kind == 1 && random() % 3 == 0);
      column.why.push_back(is_absent ? static_cast<Why>(1 + random() % 6) : Why::kPresent);
      const std::int64_t value = kind == 2 ? 7 : kind == 3 ? (i % 2 == 0 ? kLeast : kMost) : wild();
      column.values.push_back(is_absent ? 0 : value);
    }
    block.columns.push_back(std::move(column));
  }
  return block;
}

}  // namespace tacho
