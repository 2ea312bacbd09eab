// Series made to order, the same on every machine: noise, steps, ramps and blips from a seed.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tacho {

// A counter-based generator (SplitMix64) and what is drawn from it. The standard library's
// distributions differ between implementations; these do not.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // Within (0, 1).
  double Uniform() { return (static_cast<double>(Bits() >> 11) + 0.5) * 0x1p-53; }
  double Between(double low, double high) { return low + (high - low) * Uniform(); }
  double Normal() {
    return std::sqrt(-2 * std::log(Uniform())) * std::cos(2 * std::numbers::pi * Uniform());
  }
  // From [0, below).
  std::size_t Index(std::size_t below) {
    return static_cast<std::size_t>(Uniform() * static_cast<double>(below));
  }

 private:
  std::uint64_t state_;
};

// `nights` values around 0 with standard deviation 1; each keeps `rho` of the one before.
inline std::vector<double> MadeNoise(Draw& draw, std::size_t nights, double rho = 0) {
  std::vector<double> values(nights);
  double value = draw.Normal();
  for (double& slot : values) {
    slot = value;
    value = rho * value + std::sqrt(1 - rho * rho) * draw.Normal();
  }
  return values;
}

// Adds `size` to all values from `first` on.
inline std::vector<double> WithStep(std::vector<double> values, std::size_t first, double size) {
  for (std::size_t i = first; i < values.size(); ++i)
    values[i] += size;
  return values;
}

// Adds a ramp that grows from 0 at `first` to `size` at `end`, and stays there.
inline std::vector<double> WithRamp(std::vector<double> values, std::size_t first, std::size_t end,
                                    double size) {
  for (std::size_t i = first; i < values.size(); ++i) {
    const double share = static_cast<double>(i - first) / static_cast<double>(end - first);
    values[i] += size * (share < 1 ? share : 1);
  }
  return values;
}

// Adds 5 to 20 to about a share `rate` of the values.
inline std::vector<double> WithSpikes(Draw& draw, std::vector<double> values, double rate) {
  for (double& value : values) {
    if (draw.Uniform() < rate) value += draw.Between(5, 20);
  }
  return values;
}

// Every value times `factor`, plus `offset`.
inline std::vector<double> Scaled(std::vector<double> values, double factor, double offset = 0) {
  for (double& value : values)
    value = value * factor + offset;
  return values;
}

}  // namespace tacho
