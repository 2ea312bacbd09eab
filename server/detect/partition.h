// The cheapest cut of a series into flat and sloped pieces: exact, deterministic, penalised.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tacho::detect {

// One stretch of the series with one level, or one line. End is one past its last value.
struct Piece {
  std::size_t first = 0;
  std::size_t end = 0;
  bool is_sloped = false;
  double level = 0;  // fitted at `first`
  double slope = 0;  // per value
  double cost = 0;   // squared error that remains
  std::size_t size() const { return end - first; }
  double At(std::size_t index) const {
    return level + slope * (static_cast<double>(index) - static_cast<double>(first));
  }
};

// What a piece costs: the squared error of its best level (or line) in first-order autoregressive
// noise, each piece a stretch of noise of its own. With rho = 0 that is the plain sum of squares.
class PieceCosts {
 public:
  // Requires: 0 <= rho < 1, values finite. Keeps copies.
  PieceCosts(std::span<const double> values, double rho);

  std::size_t size() const { return values_.size(); }
  std::span<const double> values() const { return values_; }
  double rho() const { return rho_; }
  double Flat(std::size_t first, std::size_t end) const;
  double Sloped(std::size_t first, std::size_t end) const;
  Piece Fit(std::size_t first, std::size_t end, bool is_sloped) const;

 private:
  struct Sums {
    double energy;  // of the values, whitened
    double level;   // against the level's column of the design
    double slope;   // against the slope's
  };
  // What depends on the length alone: the normal equations' inverse.
  struct ByLength {
    double level_inverse;  // 1 / N11
    double mix;            // N12 / N11
    double slope_inverse;  // 1 / (N22 - N12 * N12 / N11); 0 for one value
  };
  Sums SumsOf(std::size_t first, std::size_t end) const;

  double rho_;
  std::vector<double> values_;
  std::vector<double> sum_, square_, moment_;  // running sums of the whitened values
  std::vector<ByLength> by_length_;
};

// Inline, since the search asks for half the square of the number of values.
inline PieceCosts::Sums PieceCosts::SumsOf(std::size_t first, std::size_t end) const {
  const std::size_t last = end - 1;
  const double start = (1 - rho_ * rho_) * values_[first];
  const double sum = sum_[last] - sum_[first];
  const double moment = moment_[last] - moment_[first] - static_cast<double>(first) * sum;
  return {start * values_[first] + square_[last] - square_[first], start + (1 - rho_) * sum,
          (1 - rho_) * moment + rho_ * sum};
}

inline double PieceCosts::Flat(std::size_t first, std::size_t end) const {
  const Sums sums = SumsOf(first, end);
  return std::max(0.0,
                  sums.energy - sums.level * sums.level * by_length_[end - first].level_inverse);
}

inline double PieceCosts::Sloped(std::size_t first, std::size_t end) const {
  const Sums sums = SumsOf(first, end);
  const ByLength& by = by_length_[end - first];
  const double tilt = sums.slope - by.mix * sums.level;
  return std::max(0.0, sums.energy - sums.level * sums.level * by.level_inverse -
                           tilt * tilt * by.slope_inverse);
}

struct PartitionLimits {
  double change_penalty = 0;       // what one more piece must save
  double slope_penalty = 0;        // what a slope must save
  std::size_t shortest = 3;        // values in a piece
  std::size_t shortest_slope = 0;  // values in a sloped piece; 0: none are sloped
};

// The pieces with the least total of errors and penalties. O(n^2).
std::vector<Piece> Partition(const PieceCosts& costs, const PartitionLimits& limits);

}  // namespace tacho::detect
