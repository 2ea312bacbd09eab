// Medians and robust scale: how the detector measures level and noise without believing outliers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tacho::detect {

// 1.4826: what makes the median absolute deviation of a normal sample estimate its standard
// deviation (1 / the normal quantile at 3/4).
inline constexpr double kMadToSigma = 1.4826;

// The middle value, or the mean of the two in the middle. 0 of nothing.
double Median(std::span<const double> values);

// kMadToSigma times the median distance from the median: a standard deviation that half of the
// values could not move.
double MadSigma(std::span<const double> values);

// The median of the `2 * half + 1` values around each value, fewer at both ends.
std::vector<double> RunningMedian(std::span<const double> values, std::size_t half);

// The standard deviation of the noise by the MAD of first differences: a level change moves only
// one difference. Falls back to their root mean square when more than half of them are equal.
double DifferenceSigma(std::span<const double> values);

}  // namespace tacho::detect
