// Single bad nights: found, so that they neither hide a change nor become one.
#pragma once

#include <span>
#include <vector>

namespace tacho::detect {

struct Cleaned {
  std::vector<double> values;    // outliers replaced by the median around them
  std::vector<bool> is_outlier;  // also where nothing was replaced
  double limit = 0;              // how far from the running median that is; 0: none was looked for
};

// Replaces runs of one or two outliers. The newest nights keep theirs, drawn in to a limit: a step
// begins like an outlier. Where more than a tenth are outliers, the values are a mixture and stay.
Cleaned CleanOutliers(std::span<const double> values);

// Of the nights that CleanOutliers keeps as they are.
inline constexpr std::size_t kNewestNights = 5;
// Beyond this many standard deviations a value is an outlier (Iglewicz and Hoaglin 1993).
inline constexpr double kOutlierSigmas = 3.5;
// The longest run that is a blip: with one more it has the length of a segment.
inline constexpr std::size_t kLongestBlip = 2;

}  // namespace tacho::detect
