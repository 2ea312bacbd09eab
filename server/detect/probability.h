// Tail probabilities: how surprising a number would be by chance.
#pragma once

#include <cstddef>

namespace tacho::detect {

// P(|T| >= |t|) for Student's t. Requires: degrees > 0. An infinite t gives 0.
double StudentTwoSided(double t, double degrees);

// P(at least `hits` of `tries` at `rate` each). Requires: 0 < rate < 1.
double BinomialTail(std::size_t hits, std::size_t tries, double rate);

}  // namespace tacho::detect
