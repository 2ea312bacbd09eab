// Single bad nights.
#include "server/detect/outliers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

// Four nights to each side: two longest blips among nine values cannot move their median.
constexpr std::size_t kHalfWindow = 4;
// With fewer values the scale itself is a guess.
constexpr std::size_t kFewestValues = 20;
constexpr double kLargestShare = 0.10;
// What the newest nights are drawn in to: wide enough that three nights of a 5 sigma step keep all
// of it, narrow enough that one night alone cannot pass for three.
constexpr double kNewestSigmas = 5;

// Whether the value is off from the nights before it and from those after it. Beside a step a value
// may be far from the median of both sides together and yet belong to one. Half the limit will do:
// the median of four is a rougher measure, and this only has to tell two levels apart.
bool IsOffFromBothSides(std::span<const double> values, std::size_t at, double limit) {
  const std::size_t before = std::min(at, kHalfWindow);
  const std::size_t after = std::min(values.size() - at - 1, kHalfWindow);
  const auto is_off = [&](std::span<const double> side) {
    return side.empty() || std::abs(values[at] - Median(side)) > limit;
  };
  return is_off(values.subspan(at - before, before)) && is_off(values.subspan(at + 1, after));
}

void ReplaceShortRuns(Cleaned& cleaned, std::span<const double> medians, std::size_t settled) {
  std::size_t i = 0;
  while (i < settled) {
    std::size_t end = i;
    while (end < cleaned.values.size() && cleaned.is_outlier[end])
      ++end;
    if (end > i && end - i <= kLongestBlip && end <= settled) {
      for (std::size_t k = i; k < end; ++k)
        cleaned.values[k] = medians[k];
    }
    i = std::max(end, i + 1);
  }
}

}  // namespace

Cleaned CleanOutliers(std::span<const double> values) {
  const std::size_t n = values.size();
  Cleaned cleaned{{values.begin(), values.end()}, std::vector<bool>(n), 0};
  if (n < kFewestValues) return cleaned;
  const std::vector<double> medians = RunningMedian(values, kHalfWindow);
  std::vector<double> away(n);
  for (std::size_t i = 0; i < n; ++i)
    away[i] = values[i] - medians[i];
  const double sigma = std::max(MadSigma(away), DifferenceSigma(values));
  if (sigma <= 0) return cleaned;
  cleaned.limit = kOutlierSigmas * sigma;
  const std::size_t settled = n - kNewestNights;
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; ++i) {
    cleaned.is_outlier[i] =
        std::abs(away[i]) > cleaned.limit && IsOffFromBothSides(values, i, cleaned.limit / 2);
    if (i < settled && cleaned.is_outlier[i]) ++found;
  }
  if (static_cast<double>(found) > kLargestShare * static_cast<double>(settled)) return cleaned;
  ReplaceShortRuns(cleaned, medians, settled);
  for (std::size_t i = settled; i < n; ++i) {
    cleaned.values[i] =
        medians[i] + std::clamp(away[i], -kNewestSigmas * sigma, kNewestSigmas * sigma);
  }
  return cleaned;
}

}  // namespace tacho::detect
