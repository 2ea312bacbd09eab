#include "server/judge/estimate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "server/judge/quantile.h"

namespace tacho {
namespace {

constexpr double kNormalTail = 1.959964;  // of a two-sided 95 %

// Exact up to 10^22.
double PowerOfTen(int exponent) {
  double power = 1;
  for (int i = 0; i < exponent; ++i)
    power *= 10;
  return power;
}

Result<Estimate> OfQuantile(double q, const JudgedSeries& series) {
  const SeriesRollup& rollup = series.rollup;
  if (rollup.has_folds) {
    return Status(Code::kNotFound, "folded on the robot: its quantiles are not known");
  }
  const Histogram& histogram = rollup.histogram;
  const int decimals = series.key.decimals;
  const RankInterval ranks = QuantileRanks(q, histogram.count());
  Estimate estimate;
  estimate.value = ValueOf(histogram.Quantile(q), decimals);
  estimate.has_interval = true;
  if (ranks.low) estimate.low = ValueOf(histogram.AtRank(*ranks.low), decimals);
  if (ranks.high) estimate.high = ValueOf(histogram.AtRank(*ranks.high), decimals);
  return estimate;
}

Result<Estimate> OfMean(const JudgedSeries& series) {
  const SeriesRollup& rollup = series.rollup;
  Estimate estimate;
  estimate.value = MeanOf(rollup, series.key.decimals).value_or(0);
  if (rollup.has_folds || rollup.is_spread_unknown || rollup.present < 2) return estimate;
  const auto n = static_cast<double>(rollup.present);
  // n * squares - sum^2 would overflow; the mean is taken off in long double instead.
  const long double mean = static_cast<long double>(rollup.sum) / static_cast<long double>(n);
  const long double spread =
      static_cast<long double>(rollup.squares) - mean * static_cast<long double>(rollup.sum);
  const double variance = std::max(0.0, static_cast<double>(spread) / (n - 1));
  const double half = ValueOf(kNormalTail * std::sqrt(variance / n), series.key.decimals);
  estimate.has_interval = true;
  estimate.low = estimate.value - half;
  estimate.high = estimate.value + half;
  return estimate;
}

double ShareOf(Nanos covered, Nanos duration) {
  if (duration <= Nanos{0}) return 0;
  return std::min(1.0,
                  static_cast<double>(covered.count()) / static_cast<double>(duration.count()));
}

// A period's worth at either end of a run has no neighbour to span it.
double ShareOf(const OverTime& over, const RunFacts& run, const JudgedSeries& series) {
  return ShareOf(over.covered + series.period, run.duration);
}

Result<Estimate> OfRows(const Budget& budget, const RunFacts& run, const JudgedSeries& series,
                        const ReadingsOf& readings) {
  const auto rows = readings(series.key);
  if (!rows.ok()) return *rows.error();
  const int decimals = series.key.decimals;
  Estimate estimate;
  if (budget.held_for > Nanos{0}) {
    const auto level = HeldLevel(*rows, budget.held_for, series.period, budget.is_upper);
    if (!level) return Status(Code::kNotFound, "no stretch without a gap is as long as \"for\"");
    estimate.value = ValueOf(*level, decimals);
    return estimate;
  }
  if (budget.statistic == Statistic::kRate && series.key.shape != Shape::kCounter) {
    return Status(Code::kNotFound, "a rate is judged of a counter, and this is a gauge");
  }
  const auto over =
      budget.statistic == Statistic::kRate ? RateOf(*rows) : IntegralOf(*rows, series.period);
  if (!over) return Status(Code::kNotFound, "no two readings lie near enough to each other");
  estimate.value = ValueOf(over->value, decimals);
  estimate.coverage = ShareOf(*over, run, series);
  return estimate;
}

}  // namespace

double ValueOf(double value, int decimals) {
  return decimals >= 0 ? value / PowerOfTen(decimals) : value * PowerOfTen(-decimals);
}
double ValueOf(std::int64_t value, int decimals) {
  return ValueOf(static_cast<double>(value), decimals);
}

std::optional<double> MeanOf(const SeriesRollup& series, int decimals) {
  if (series.present == 0) return std::nullopt;
  const long double mean =
      static_cast<long double>(series.sum) / static_cast<long double>(series.present);
  return ValueOf(static_cast<double>(mean), decimals);
}

Result<Estimate> EstimateOf(const Budget& budget, const RunFacts& run, const JudgedSeries& series,
                            const ReadingsOf& readings) {
  Estimate estimate;
  if (budget.held_for > Nanos{0}) return OfRows(budget, run, series, readings);
  switch (budget.statistic) {
    case Statistic::kMax:
      estimate.value = ValueOf(series.rollup.max, series.key.decimals);
      return estimate;
    case Statistic::kMin:
      estimate.value = ValueOf(series.rollup.min, series.key.decimals);
      return estimate;
    case Statistic::kMean:
      return OfMean(series);
    case Statistic::kRate:
    case Statistic::kIntegral:
      return OfRows(budget, run, series, readings);
    case Statistic::kP50:
    case Statistic::kP95:
    case Statistic::kP99:
      return OfQuantile(QuantileOf(budget.statistic), series);
  }
  return Status(Code::kInternal, "an unknown statistic");
}

}  // namespace tacho
