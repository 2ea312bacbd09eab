// Which of many findings may be reported when chance alone would bring some.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tacho::detect {

// How the tests may hang together.
enum class Dependence {
  kPositive,  // independent, or they tend to be small together: Benjamini and Hochberg 1995
  kAny,       // no matter how: Benjamini and Yekutieli 2001, stricter by 1 + 1/2 + ... + 1/m
};

// For each p value the smallest rate of false discoveries at which it would be reported, at most 1.
// A p that is not a number is no test: it stays NaN and counts for nothing.
std::vector<double> AdjustForMany(std::span<const double> p,
                                  Dependence dependence = Dependence::kPositive);

// Which to report so that at most the share `rate` of what is reported is expected to be false.
std::vector<bool> ReportAt(double rate, std::span<const double> p,
                           Dependence dependence = Dependence::kPositive);

// The same where the tests fall into groups (`group[i]` of test i), such as the metrics of one
// cohort: first which groups hold anything, by the p of the whole group, then what, within them.
// Holds the rate on average over the groups reported (Benjamini and Bogomolov 2014), and does not
// let one group of many quiet metrics hide the finding of a small one.
std::vector<bool> ReportInGroups(double rate, std::span<const double> p,
                                 std::span<const std::size_t> group);

}  // namespace tacho::detect
