#include "server/judge/quantile.h"

#include <algorithm>
#include <cmath>

namespace tacho {
namespace {

constexpr double kTail = 0.025;
constexpr double kNormalTail = 1.959964;  // the normal quantile of 1 - kTail
// From here on the normal approximation is within a rank of the exact one.
constexpr double kManyVariance = 500;

double LogChoose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

RankInterval NormalRanks(double q, double n) {
  const double spread = kNormalTail * std::sqrt(n * q * (1 - q));
  RankInterval ranks;
  const double low = std::floor(n * q - spread);
  const double high = std::ceil(n * q + spread) + 1;
  if (low >= 1) ranks.low = static_cast<std::uint64_t>(low);
  if (high <= n) ranks.high = static_cast<std::uint64_t>(high);
  return ranks;
}

// B is the number of readings below the quantile, binomial(n, q). The reading of rank r lies above
// the quantile only if B < r: the low rank is the largest with P(B < r) <= 2.5 %, the high rank the
// smallest with P(B >= r) <= 2.5 %.
RankInterval ExactRanks(double q, std::uint64_t count) {
  const auto n = static_cast<double>(count);
  RankInterval ranks;
  double below = 0;  // P(B < r)
  for (std::uint64_t r = 1; r <= count; ++r) {
    const auto k = static_cast<double>(r - 1);
    below += std::exp(LogChoose(n, k) + k * std::log(q) + (n - k) * std::log1p(-q));
    if (below <= kTail) ranks.low = r;
    if (1 - below <= kTail) {
      ranks.high = r;
      break;
    }
  }
  return ranks;
}

}  // namespace

RankInterval QuantileRanks(double q, std::uint64_t count) {
  const auto n = static_cast<double>(count);
  return n * q * (1 - q) > kManyVariance ? NormalRanks(q, n) : ExactRanks(q, count);
}

}  // namespace tacho
