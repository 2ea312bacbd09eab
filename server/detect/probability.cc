// Tail probabilities.
#include "server/detect/probability.h"

#include <cmath>

namespace tacho::detect {
namespace {

// The logarithm of the gamma function, for positive x: Lanczos' approximation (g = 7, 9 terms,
// relative error 1e-15). std::lgamma writes a global sign and is not safe to share.
double LogGamma(double x) {
  constexpr double kTerms[] = {0.99999999999980993,  676.5203681218851,     -1259.1392167224028,
                               771.32342877765313,   -176.61502916214059,   12.507343278686905,
                               -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  constexpr double kHalfLogTwoPi = 0.91893853320467274;
  const double y = x - 1;
  double sum = kTerms[0];
  for (int i = 1; i < 9; ++i)
    sum += kTerms[i] / (y + i);
  const double t = y + 7.5;
  return kHalfLogTwoPi + (y + 0.5) * std::log(t) - t + std::log(sum);
}

double AwayFromZero(double x) {
  return std::abs(x) < 1e-300 ? 1e-300 : x;
}

// The continued fraction of the incomplete beta function, by Lentz's method.
double BetaFraction(double a, double b, double x) {
  double c = 1;
  double d = 1 / AwayFromZero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m <= 300; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / AwayFromZero(1 + even * d);
    c = AwayFromZero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / AwayFromZero(1 + odd * d);
    c = AwayFromZero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return fraction;
}

// The regularised incomplete beta function I_x(a, b).
double Beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(LogGamma(a + b) - LogGamma(a) - LogGamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * BetaFraction(a, b, x) / a;
  return 1 - front * BetaFraction(b, a, 1 - x) / b;
}

}  // namespace

double StudentTwoSided(double t, double degrees) {
  if (std::isinf(t)) return 0;
  return Beta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

double BinomialTail(std::size_t hits, std::size_t tries, double rate) {
  if (hits == 0) return 1;
  if (hits > tries) return 0;
  const auto k = static_cast<double>(hits);
  return Beta(k, static_cast<double>(tries) - k + 1, rate);
}

}  // namespace tacho::detect
