// Two pieces that meet without a jump.
#include "server/detect/bend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace tacho::detect {
namespace {

// The level at the bend, the slope before it and the slope after it.
constexpr std::size_t kUnknowns = 3;
constexpr std::size_t kCoarsePlaces = 32;
using Row = std::array<double, kUnknowns>;

// Least squares by its normal equations.
class Equations {
 public:
  void Add(const Row& row, double value) {
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      for (std::size_t j = 0; j < kUnknowns; ++j)
        matrix_[i][j] += row[i] * row[j];
      right_[i] += row[i] * value;
    }
    energy_ += value * value;
  }

  // The error that the best unknowns leave. A column of zeros (a flat side) takes no part.
  double Rest() {
    double rest = energy_;
    for (std::size_t i = 0; i < kUnknowns; ++i) {
      const double pivot = matrix_[i][i];
      if (pivot <= 0) continue;
      rest -= right_[i] * right_[i] / pivot;
      for (std::size_t k = i + 1; k < kUnknowns; ++k) {
        const double factor = matrix_[k][i] / pivot;
        for (std::size_t j = i; j < kUnknowns; ++j)
          matrix_[k][j] -= factor * matrix_[i][j];
        right_[k] -= factor * right_[i];
      }
    }
    return std::max(0.0, rest);
  }

 private:
  std::array<Row, kUnknowns> matrix_{};
  Row right_{};
  double energy_ = 0;
};

Row RowAt(std::size_t index, std::size_t place, const Piece& left, const Piece& right) {
  const double away = static_cast<double>(index) - static_cast<double>(place);
  return {1, away < 0 && left.is_sloped ? away : 0, away > 0 && right.is_sloped ? away : 0};
}

double CostAt(std::size_t place, const PieceCosts& costs, const Piece& left, const Piece& right) {
  const std::span<const double> values = costs.values();
  const double rho = costs.rho();
  Equations equations;
  Row last{};
  for (std::size_t i = left.first; i < right.end; ++i) {
    const Row row = RowAt(i, place, left, right);
    const bool is_first = i == left.first;
    const double share = is_first ? std::sqrt(1 - rho * rho) : 1;
    const double carried = is_first ? 0 : rho;
    Row white;
    for (std::size_t k = 0; k < kUnknowns; ++k)
      white[k] = share * row[k] - carried * last[k];
    equations.Add(white, share * values[i] - (is_first ? 0 : carried * values[i - 1]));
    last = row;
  }
  return equations.Rest();
}

}  // namespace

double CostOfBend(const PieceCosts& costs, const Piece& left, const Piece& right) {
  // The cost changes slowly with the place: a coarse look over all, then a fine one at the best.
  const std::size_t stride = std::max<std::size_t>(1, (right.end - left.first) / kCoarsePlaces);
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = left.first;
  const auto look = [&](std::size_t from, std::size_t until, std::size_t step) {
    for (std::size_t place = from; place < until; place += step) {
      const double cost = CostAt(place, costs, left, right);
      if (cost < least) {
        least = cost;
        best = place;
      }
    }
  };
  look(left.first, right.end, stride);
  if (stride > 1) {
    const std::size_t from = best - std::min(best - left.first, stride);
    look(from, std::min(right.end, best + stride + 1), 1);
  }
  return least;
}

}  // namespace tacho::detect
