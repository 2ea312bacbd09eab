// Which of many findings may be reported.
#include "server/detect/false_discovery.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tacho::detect {
namespace {

double Strictness(std::size_t tests, Dependence dependence) {
  if (dependence == Dependence::kPositive) return 1;
  double sum = 0;
  for (std::size_t i = 1; i <= tests; ++i)
    sum += 1 / static_cast<double>(i);
  return sum;
}

// The indices of the tests, smallest p first; equal ones in the order given.
std::vector<std::size_t> Ranked(std::span<const double> p) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> AdjustForMany(std::span<const double> p, Dependence dependence) {
  const std::vector<std::size_t> order = Ranked(p);
  const double tests = static_cast<double>(order.size()) * Strictness(order.size(), dependence);
  std::vector<double> adjusted(p.size(), std::numeric_limits<double>::quiet_NaN());
  double least = 1;
  for (std::size_t rank = order.size(); rank > 0; --rank) {
    const std::size_t i = order[rank - 1];
    least = std::min(least, p[i] * tests / static_cast<double>(rank));
    adjusted[i] = least;
  }
  return adjusted;
}

std::vector<bool> ReportAt(double rate, std::span<const double> p, Dependence dependence) {
  const std::vector<double> adjusted = AdjustForMany(p, dependence);
  std::vector<bool> report(p.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    report[i] = adjusted[i] <= rate;
  return report;
}

std::vector<bool> ReportInGroups(double rate, std::span<const double> p,
                                 std::span<const std::size_t> group) {
  std::map<std::size_t, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!std::isnan(p[i])) members[group[i]].push_back(i);
  }
  std::vector<std::vector<double>> values;
  std::vector<double> whole;  // Simes' p of a group: the smallest adjusted one in it
  for (const auto& [id, tests] : members) {
    values.emplace_back();
    for (const std::size_t i : tests)
      values.back().push_back(p[i]);
    const std::vector<double> adjusted = AdjustForMany(values.back());
    whole.push_back(*std::min_element(adjusted.begin(), adjusted.end()));
  }
  const std::vector<bool> chosen = ReportAt(rate, whole);
  const auto count = static_cast<double>(std::count(chosen.begin(), chosen.end(), true));
  const double inner = rate * count / static_cast<double>(std::max<std::size_t>(1, whole.size()));
  std::vector<bool> report(p.size());
  std::size_t k = 0;
  for (const auto& [id, tests] : members) {
    const std::vector<bool> inside = ReportAt(inner, values[k]);
    for (std::size_t j = 0; j < tests.size(); ++j)
      report[tests[j]] = chosen[k] && inside[j];
    ++k;
  }
  return report;
}

}  // namespace tacho::detect
