// Medians and robust scale.
#include "server/detect/robust.h"

#include <algorithm>
#include <cmath>

namespace tacho::detect {
namespace {

// Reorders `values`. Requires: not empty.
double MedianInPlace(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  const double below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

}  // namespace

double Median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> scratch(values.begin(), values.end());
  return MedianInPlace(scratch);
}

double MadSigma(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> scratch(values.begin(), values.end());
  const double middle = MedianInPlace(scratch);
  for (double& value : scratch)
    value = std::abs(value - middle);
  return kMadToSigma * MedianInPlace(scratch);
}

std::vector<double> RunningMedian(std::span<const double> values, std::size_t half) {
  std::vector<double> medians(values.size());
  std::vector<double> window;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t first = i < half ? 0 : i - half;
    const std::size_t end = std::min(values.size(), i + half + 1);
    window.assign(values.begin() + static_cast<std::ptrdiff_t>(first),
                  values.begin() + static_cast<std::ptrdiff_t>(end));
    medians[i] = MedianInPlace(window);
  }
  return medians;
}

double DifferenceSigma(std::span<const double> values) {
  if (values.size() < 2) return 0;
  std::vector<double> steps(values.size() - 1);
  double squares = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i] = values[i + 1] - values[i];
    squares += steps[i] * steps[i];
  }
  const double robust = MadSigma(steps) / std::sqrt(2.0);
  return robust > 0 ? robust : std::sqrt(squares / static_cast<double>(steps.size()) / 2);
}

}  // namespace tacho::detect
