// How much of one night's deviation is still there the next night.
#pragma once

#include <span>

namespace tacho::detect {

// The first-order autocorrelation of the noise, from the growth of the differences over one, two
// and three nights, which a step or an outlier hardly touches (after Chakar et al. 2017, with
// winsorised squares in place of medians: a fifth of the variance). Within [0, 0.9]; negative
// correlation counts as none, which is the careful side. 0 of fewer than ten values.
double Autocorrelation(std::span<const double> values);

}  // namespace tacho::detect
