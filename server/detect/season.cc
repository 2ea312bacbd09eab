// What every Monday has in common.
#include "server/detect/season.h"

#include <cmath>

#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

constexpr std::size_t kFewestSeasons = 8;  // two months of weekdays; a median of eight holds

double SumOfSizes(std::span<const double> values) {
  double sum = 0;
  for (const double value : values)
    sum += value * value;
  return sum;
}

}  // namespace

std::vector<double> SeasonOf(std::span<const double> values, std::span<const std::size_t> phases,
                             std::size_t period) {
  const std::size_t n = values.size();
  if (period < 2 || n < kFewestSeasons * period) return {};
  const std::vector<double> level = RunningMedian(values, period / 2);
  std::vector<double> rest(n);
  std::vector<std::vector<double>> by_phase(period);
  for (std::size_t i = 0; i < n; ++i) {
    rest[i] = values[i] - level[i];
    by_phase[phases[i]].push_back(rest[i]);
  }
  std::vector<double> season(period);
  double mean = 0;
  for (std::size_t phase = 0; phase < period; ++phase) {
    season[phase] = Median(by_phase[phase]);
    mean += season[phase] / static_cast<double>(period);
  }
  for (double& effect : season)
    effect -= mean;
  const double before = SumOfSizes(rest);
  for (std::size_t i = 0; i < n; ++i)
    rest[i] -= season[phases[i]];
  const double after = SumOfSizes(rest);
  const double count = static_cast<double>(n);
  const bool pays = after <= 0 ? before > 0
                               : 2 * count * std::log(before / after) >
                                     static_cast<double>(period - 1) * std::log(count);
  return pays ? season : std::vector<double>{};
}

}  // namespace tacho::detect
