// Where the noise itself changed.
#include "server/detect/spread.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "server/detect/pieces.h"
#include "server/detect/probability.h"
#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

// The standard error of a standard deviation is a quarter of it after ten nights.
constexpr std::size_t kShortest = 10;
// Half as wide again, or two thirds: less is no finding however certain.
constexpr double kLeastRatio = 1.5;
// A size beyond this many medians is a blip's, and says nothing about the spread of the others.
// (The median of a normal's sizes is 0.67 sigma: six sigma.)
constexpr double kLargestMedians = 9;
// Below this share of the typical size a stretch is constant as far as we can measure.
constexpr double kSmallestShare = 0.05;

// Sizes of deviations, ready for sums over any stretch.
class Sizes {
 public:
  explicit Sizes(std::span<const double> deviations);
  std::size_t size() const { return sizes_.size(); }
  double Mean(std::size_t first, std::size_t end) const;
  // Twice the gain in log likelihood of two means over one, the sizes being exponential, divided by
  // how much more or less than an exponential they really vary.
  double Gain(std::size_t first, std::size_t place, std::size_t end) const;

 private:
  double Dispersion(std::size_t first, std::size_t end) const;
  double LogLikelihood(std::size_t first, std::size_t end) const;
  std::vector<double> sizes_;
  std::vector<double> sums_;
  double smallest_ = 0;
};

Sizes::Sizes(std::span<const double> deviations) : sums_(deviations.size() + 1) {
  for (const double deviation : deviations)
    sizes_.push_back(std::abs(deviation));
  const double limit = kLargestMedians * Median(sizes_);
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    if (limit > 0) sizes_[i] = std::min(sizes_[i], limit);
    sums_[i + 1] = sums_[i] + sizes_[i];
  }
  if (!sizes_.empty()) smallest_ = kSmallestShare * sums_.back() / static_cast<double>(size());
}

double Sizes::Mean(std::size_t first, std::size_t end) const {
  return std::max(smallest_, (sums_[end] - sums_[first]) / static_cast<double>(end - first));
}

double Sizes::LogLikelihood(std::size_t first, std::size_t end) const {
  return -static_cast<double>(end - first) * std::log(Mean(first, end));
}

double Sizes::Dispersion(std::size_t first, std::size_t end) const {
  const double mean = Mean(first, end);
  double sum = 0;
  for (std::size_t i = first; i < end; ++i)
    sum += (sizes_[i] - mean) * (sizes_[i] - mean);
  return sum / (mean * mean);
}

double Sizes::Gain(std::size_t first, std::size_t place, std::size_t end) const {
  const double gain =
      2 * (LogLikelihood(first, place) + LogLikelihood(place, end) - LogLikelihood(first, end));
  const double dispersion =
      (Dispersion(first, place) + Dispersion(place, end)) / static_cast<double>(end - first - 2);
  return dispersion > 0 ? gain / dispersion : 0;
}

// Cuts [first, end) at its best place and both parts again. Bounded: a part is at least kShortest.
void Cut(const Sizes& sizes, std::size_t first, std::size_t end, double price,
         std::vector<std::size_t>& places) {
  if (end - first < 2 * kShortest) return;
  std::size_t best = 0;
  double most = 0;
  for (std::size_t place = first + kShortest; place + kShortest <= end; ++place) {
    const auto left = static_cast<double>(place - first);
    const auto right = static_cast<double>(end - place);
    const double gain =
        -left * std::log(sizes.Mean(first, place)) - right * std::log(sizes.Mean(place, end));
    if (best == 0 || gain > most) {
      most = gain;
      best = place;
    }
  }
  const double ratio = sizes.Mean(best, end) / sizes.Mean(first, best);
  if (std::max(ratio, 1 / ratio) < kLeastRatio) return;
  if (sizes.Gain(first, best, end) < price) return;
  Cut(sizes, first, best, price, places);
  places.push_back(best);
  Cut(sizes, best, end, price, places);
}

}  // namespace

std::vector<SpreadChange> FindSpreadChanges(std::span<const double> deviations,
                                            const HistoryOptions& options) {
  const std::size_t n = deviations.size();
  if (n < 2 * kShortest) return {};
  const Sizes sizes(deviations);
  if (sizes.Mean(0, n) <= 0) return {};
  std::vector<std::size_t> places{0};
  Cut(sizes, 0, n, Price(options.change_penalty, n, 1), places);
  places.push_back(n);
  constexpr double kMeanSizeToSigma = 1.2533141373155001;  // sqrt(pi / 2), of a normal
  std::vector<SpreadChange> changes;
  for (std::size_t i = 1; i + 1 < places.size(); ++i) {
    const double gain = sizes.Gain(places[i - 1], places[i], places[i + 1]);
    const double chance =
        StudentTwoSided(std::sqrt(std::max(0.0, gain)), static_cast<double>(n - places.size()));
    changes.push_back({.first = places[i],
                       .before = kMeanSizeToSigma * sizes.Mean(places[i - 1], places[i]),
                       .after = kMeanSizeToSigma * sizes.Mean(places[i], places[i + 1]),
                       .p = std::min(1.0, static_cast<double>(n) * chance)});
  }
  return changes;
}

}  // namespace tacho::detect
