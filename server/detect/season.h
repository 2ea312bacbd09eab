// What every Monday (or every eight o'clock) has in common, so that it can be taken off.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tacho::detect {

// The median deviation of each phase from the level around it, their mean being 0. Empty where
// there are fewer than eight seasons, or where taking it off would not pay for its parameters
// (BIC). `phases[i]` is the phase of values[i], below `period`.
std::vector<double> SeasonOf(std::span<const double> values, std::span<const std::size_t> phases,
                             std::size_t period);

}  // namespace tacho::detect
