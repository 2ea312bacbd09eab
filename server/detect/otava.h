// The change points that Apache Otava (Hunter) reports, for those who compare the two.
//
// E-divisive with Student's t-test in overlapping windows, as Otava 0.7 does it, its quirks
// included. Not used by any verdict of ours: docs/detecting.md says why.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tacho::detect {

struct OtavaOptions {
  std::size_t window = 50;  // at least 2; larger than kWidestOtavaWindow counts as that
  double max_p = 0.001;
  double min_magnitude = 0;  // relative
};

// The work of one window grows with the square of its width.
inline constexpr std::size_t kWidestOtavaWindow = 1000;

// The first index of each new segment. Missing values are left out (Otava would report nothing).
std::vector<std::size_t> DetectLikeOtava(std::span<const double> values,
                                         const OtavaOptions& options = {});

}  // namespace tacho::detect
