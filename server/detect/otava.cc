// The change points that Apache Otava reports.
#include "server/detect/otava.h"

#include <algorithm>
#include <cmath>

#include "server/detect/probability.h"

namespace tacho::detect {
namespace {

// How two neighbouring stretches compare.
struct Contrast {
  double p = 1;
  double magnitude = 0;
};

struct Point {
  std::size_t index = 0;
  Contrast contrast;
};

struct Moments {
  double mean = 0;
  double variance = 0;  // divided by n, though the test wants n - 1: as Otava does
};

Moments MomentsOf(std::span<const double> values) {
  Moments moments;
  const auto n = static_cast<double>(values.size());
  for (const double value : values)
    moments.mean += value / n;
  for (const double value : values) {
    moments.variance += (value - moments.mean) * (value - moments.mean) / n;
  }
  return moments;
}

Contrast Compare(std::span<const double> left, std::span<const double> right) {
  const Moments a = MomentsOf(left);
  const Moments b = MomentsOf(right);
  const auto n = static_cast<double>(left.size());
  const auto m = static_cast<double>(right.size());
  Contrast contrast;
  const double forward = a.mean == 0 ? 0 : std::abs(b.mean / a.mean - 1);
  const double backward = b.mean == 0 ? 0 : std::abs(a.mean / b.mean - 1);
  contrast.magnitude = std::max(forward, backward);
  const double degrees = n + m - 2;
  if (degrees <= 0) return contrast;
  const double pooled = ((n - 1) * a.variance + (m - 1) * b.variance) / degrees;
  const double error = std::sqrt(pooled * (1 / n + 1 / m));
  if (error > 0) {
    contrast.p = StudentTwoSided((a.mean - b.mean) / error, degrees);
  } else {
    contrast.p = a.mean == b.mean ? 1 : 0;
  }
  return contrast;
}

// The distances between all values of a window, summed over rectangles.
class Distances {
 public:
  explicit Distances(std::span<const double> values)
      : width_(values.size() + 1), sums_(width_ * width_) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        sums_[(i + 1) * width_ + j + 1] = sums_[i * width_ + j + 1] + sums_[(i + 1) * width_ + j] -
                                          sums_[i * width_ + j] + std::abs(values[i] - values[j]);
      }
    }
  }

  // Between the values of [a, b) and those of [c, d).
  double Between(std::size_t a, std::size_t b, std::size_t c, std::size_t d) const {
    return sums_[b * width_ + d] - sums_[a * width_ + d] - sums_[b * width_ + c] +
           sums_[a * width_ + c];
  }

  // Q of the split of [first, last) at `place`: how much farther the two sides are from each other
  // than from themselves.
  double Divergence(std::size_t first, std::size_t place, std::size_t last) const {
    const auto n = static_cast<double>(place - first);
    const auto m = static_cast<double>(last - place);
    const double left = n > 1 ? m / (n - 1) * Between(first, place, first, place) : 0;
    const double right = m > 1 ? n / (m - 1) * Between(place, last, place, last) : 0;
    return (2 * Between(first, place, place, last) - left - right) / (n + m);
  }

 private:
  std::size_t width_;
  std::vector<double> sums_;
};

struct Candidate {
  std::size_t place = 0;
  double divergence = 0;
};

// The best split of [first, end) or of any beginning of it.
Candidate BestSplit(const Distances& distances, std::size_t first, std::size_t end) {
  Candidate best;
  for (std::size_t place = first + 1; place < end; ++place) {
    for (std::size_t last = place + 1; last <= end; ++last) {
      const double divergence = distances.Divergence(first, place, last);
      if (best.place == 0 || divergence > best.divergence) best = {place, divergence};
    }
  }
  return best;
}

// Splits one window while the best split is significant. Places count from the window's start.
std::vector<std::size_t> SplitWindow(std::span<const double> window, double max_p) {
  const Distances distances(window);
  std::vector<std::size_t> cuts{0, window.size()};
  while (true) {
    Candidate best;
    std::size_t gap = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i + 1] - cuts[i] < 2) continue;
      const Candidate candidate = BestSplit(distances, cuts[i], cuts[i + 1]);
      if (best.place == 0 || candidate.divergence > best.divergence) {
        best = candidate;
        gap = i;
      }
    }
    if (best.place == 0) break;
    const Contrast contrast = Compare(window.subspan(cuts[gap], best.place - cuts[gap]),
                                      window.subspan(best.place, cuts[gap + 1] - best.place));
    if (contrast.p > max_p) break;
    cuts.insert(cuts.begin() + static_cast<std::ptrdiff_t>(gap) + 1, best.place);
  }
  return {cuts.begin() + 1, cuts.end() - 1};
}

// Compares the stretches on both sides of points[at], up to its neighbours.
void Measure(std::vector<Point>& points, std::size_t at, std::span<const double> values) {
  if (at >= points.size()) return;
  const std::size_t first = at == 0 ? 0 : points[at - 1].index;
  const std::size_t end = at + 1 < points.size() ? points[at + 1].index : values.size();
  const std::size_t place = points[at].index;
  points[at].contrast =
      Compare(values.subspan(first, place - first), values.subspan(place, end - place));
}

std::vector<Point> WeakPoints(std::span<const double> values, std::size_t window, double max_p) {
  std::vector<std::size_t> places;
  const std::size_t step = std::max<std::size_t>(1, window / 2);
  std::size_t start = 0;
  while (start < values.size()) {
    const std::size_t width = std::min(window, values.size() - start);
    std::size_t last = 0;
    for (const std::size_t place : SplitWindow(values.subspan(start, width), max_p)) {
      last = start + place;
      places.push_back(last);
    }
    start = std::max(last, start + step);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<Point> points;
  for (const std::size_t place : places)
    points.push_back({place, {}});
  for (std::size_t i = 0; i < points.size(); ++i)
    Measure(points, i, values);
  return points;
}

// Drops the weakest point until all are significant and large enough. After a drop Otava measures
// the next two points again, not the one before: so do we.
void Merge(std::vector<Point>& points, std::span<const double> values,
           const OtavaOptions& options) {
  while (!points.empty()) {
    auto weakest = std::max_element(
        points.begin(), points.end(),
        [](const Point& a, const Point& b) { return a.contrast.p < b.contrast.p; });
    if (weakest->contrast.p < options.max_p) {
      weakest = std::min_element(points.begin(), points.end(), [](const Point& a, const Point& b) {
        return a.contrast.magnitude < b.contrast.magnitude;
      });
      if (weakest->contrast.magnitude > options.min_magnitude) return;
    }
    const auto at = static_cast<std::size_t>(weakest - points.begin());
    points.erase(weakest);
    Measure(points, at, values);
    Measure(points, at + 1, values);
  }
}

double FirstPass(double max_p) {
  if (max_p < 0.05) return max_p * 10;
  return max_p < 0.5 ? max_p * 2 : max_p;
}

}  // namespace

std::vector<std::size_t> DetectLikeOtava(std::span<const double> values,
                                         const OtavaOptions& options) {
  std::vector<double> present;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    present.push_back(values[i]);
    index.push_back(i);
  }
  const std::size_t window = std::clamp<std::size_t>(options.window, 2, kWidestOtavaWindow);
  std::vector<Point> points = WeakPoints(present, window, FirstPass(options.max_p));
  Merge(points, present, options);
  std::vector<std::size_t> indices;
  for (const Point& point : points)
    indices.push_back(index[point.index]);
  return indices;
}

}  // namespace tacho::detect
