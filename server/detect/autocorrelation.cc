// How much of one night's deviation is still there the next night.
#include "server/detect/autocorrelation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

constexpr std::size_t kFewestValues = 10;
constexpr double kLargest = 0.9;       // beyond it noise and drift are the same thing
constexpr double kWinsorSigmas = 3.5;  // the outlier rule again

// The mean square of the differences `lag` apart, each drawn in to kWinsorSigmas.
double MeanSquare(std::span<const double> values, std::size_t lag) {
  std::vector<double> steps(values.size() - lag);
  for (std::size_t i = 0; i < steps.size(); ++i)
    steps[i] = values[i + lag] - values[i];
  const double sigma = MadSigma(steps);
  const double limit = sigma > 0 ? kWinsorSigmas * sigma : std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double step : steps) {
    const double drawn_in = std::min(std::abs(step), limit);
    sum += drawn_in * drawn_in;
  }
  return sum / static_cast<double>(steps.size());
}

}  // namespace

double Autocorrelation(std::span<const double> values) {
  if (values.size() < kFewestValues) return 0;
  const double one = MeanSquare(values, 1);
  if (one <= 0) return 0;
  // E[two / one] = 1 + rho and E[three / one] = 1 + rho + rho^2. Their mean g = 1 + rho + rho^2 / 2
  // solved for rho:
  const double growth = (MeanSquare(values, 2) + MeanSquare(values, 3)) / (2 * one);
  const double rho = growth <= 1 ? 0 : std::sqrt(2 * growth - 1) - 1;
  return std::clamp(rho, 0.0, kLargest);
}

}  // namespace tacho::detect
