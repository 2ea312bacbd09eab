// The cheapest cut of a series into flat and sloped pieces.
#include "server/detect/partition.h"

#include <algorithm>
#include <limits>

namespace tacho::detect {

PieceCosts::PieceCosts(std::span<const double> values, double rho)
    : rho_(rho), values_(values.begin(), values.end()) {
  const std::size_t n = values_.size();
  sum_.resize(n);
  square_.resize(n);
  moment_.resize(n);
  for (std::size_t i = 1; i < n; ++i) {
    const double white = values_[i] - rho_ * values_[i - 1];
    sum_[i] = sum_[i - 1] + white;
    square_[i] = square_[i - 1] + white * white;
    moment_[i] = moment_[i - 1] + static_cast<double>(i) * white;
  }
  by_length_.resize(n + 1);
  double n11 = 1 - rho_ * rho_;
  double n12 = 0;
  double n22 = 0;
  for (std::size_t length = 1; length <= n; ++length) {
    if (length > 1) {
      const double u = (1 - rho_) * static_cast<double>(length - 1) + rho_;
      n11 += (1 - rho_) * (1 - rho_);
      n12 += (1 - rho_) * u;
      n22 += u * u;
    }
    const double rest = n22 - n12 * n12 / n11;
    by_length_[length] = {1 / n11, n12 / n11, length > 1 ? 1 / rest : 0};
  }
}

Piece PieceCosts::Fit(std::size_t first, std::size_t end, bool is_sloped) const {
  const Sums sums = SumsOf(first, end);
  const ByLength& by = by_length_[end - first];
  Piece piece{.first = first, .end = end, .is_sloped = is_sloped};
  if (is_sloped) piece.slope = (sums.slope - by.mix * sums.level) * by.slope_inverse;
  piece.level = sums.level * by.level_inverse - by.mix * piece.slope;
  piece.cost = is_sloped ? Sloped(first, end) : Flat(first, end);
  return piece;
}

std::vector<Piece> Partition(const PieceCosts& costs, const PartitionLimits& limits) {
  const std::size_t n = costs.size();
  struct Best {
    double total = std::numeric_limits<double>::infinity();
    std::size_t from = 0;
    bool is_sloped = false;
  };
  std::vector<Best> best(n + 1);
  best[0].total = -limits.change_penalty;
  for (std::size_t end = limits.shortest; end <= n; ++end) {
    Best& here = best[end];
    for (std::size_t first = 0; first + limits.shortest <= end; ++first) {
      const double before = best[first].total + limits.change_penalty;
      const double flat = before + costs.Flat(first, end);
      if (flat < here.total) here = {flat, first, false};
      if (limits.shortest_slope == 0 || end - first < limits.shortest_slope) continue;
      const double sloped = before + costs.Sloped(first, end) + limits.slope_penalty;
      if (sloped < here.total) here = {sloped, first, true};
    }
  }
  std::vector<Piece> pieces;
  for (std::size_t end = n; end > 0; end = best[end].from) {
    pieces.push_back(costs.Fit(best[end].from, end, best[end].is_sloped));
  }
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

}  // namespace tacho::detect
