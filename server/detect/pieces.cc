// From cleaned values to pieces and their noise.
#include "server/detect/pieces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "server/detect/probability.h"
#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

// The estimate of the noise settles in two or three rounds; a cycle of two would go on for ever.
constexpr int kMostRounds = 5;
// What remains below this share of the plain variance is the rounding of sums of squares, not
// noise.
constexpr double kRounding = 1e-12;
// Of too many outliers in one place by chance, at each look: a night in a thousand, the rate of
// false alarms that a nightly check may have.
constexpr double kBlipChance = 0.001;
// The rest of such a piece is at its neighbour's level unless it is this many standard errors away.
constexpr double kRestSigmas = 2.5;

double Variance(std::span<const double> values) {
  double mean = 0;
  for (const double value : values)
    mean += value;
  mean /= static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values)
    sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

// Levels, slopes and places of change all use up freedom.
double DegreesLeft(const std::vector<Piece>& pieces, std::size_t n) {
  std::size_t used = pieces.size() - 1;
  for (const Piece& piece : pieces)
    used += piece.is_sloped ? 2 : 1;
  return n > used ? static_cast<double>(n - used) : 1.0;
}

double CostOf(const std::vector<Piece>& pieces) {
  double cost = 0;
  for (const Piece& piece : pieces)
    cost += piece.cost;
  return cost;
}

bool SameCuts(const std::vector<Piece>& a, const std::vector<Piece>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Piece& x, const Piece& y) {
    return x.end == y.end && x.is_sloped == y.is_sloped;
  });
}

PartitionLimits LimitsFor(const HistoryOptions& options, std::size_t n, double innovation) {
  return {.change_penalty = Price(options.change_penalty, n, innovation),
          .slope_penalty = Price(options.slope_penalty, n, innovation),
          .shortest = options.shortest_segment,
          .shortest_slope = options.shortest_drift};
}

// One level for everything and no slope worth its price, even by the smallest estimate of the
// noise: most series, most nights. Spares them the search for sloped pieces.
bool IsPlain(const PieceCosts& costs, PartitionLimits limits) {
  const std::size_t n = costs.size();
  if (costs.Flat(0, n) - costs.Sloped(0, n) > limits.slope_penalty) return false;
  limits.shortest_slope = 0;
  return Partition(costs, limits).size() == 1;
}

double MedianOf(std::span<const double> values, const Piece& piece) {
  return Median(values.subspan(piece.first, piece.size()));
}

void Join(std::vector<Piece>& pieces, const PieceCosts& costs, std::size_t right) {
  pieces[right - 1] = costs.Fit(pieces[right - 1].first, pieces[right].end, false);
  pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(right));
}

// Backward elimination: the smallest change between flat pieces goes first, since what joins may
// make its neighbours larger.
void DropSmallEffects(std::vector<Piece>& pieces, const PieceCosts& costs,
                      std::span<const double> cleaned, double least) {
  while (true) {
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t at = 0;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      if (pieces[i].is_sloped || pieces[i - 1].is_sloped) continue;
      const double size = std::abs(MedianOf(cleaned, pieces[i]) - MedianOf(cleaned, pieces[i - 1]));
      if (size < smallest) {
        smallest = size;
        at = i;
      }
    }
    if (at == 0 || smallest >= least) return;
    Join(pieces, costs, at);
  }
}

bool IsBlips(const Piece& shorter, const Piece& longer, std::span<const double> values,
             const Cleaned& cleaned, double sigma) {
  const double reference = MedianOf(values, longer);
  const double side = MedianOf(values, shorter) > reference ? 1 : -1;
  std::size_t outliers = 0;
  double rest = 0;
  for (std::size_t i = shorter.first; i < shorter.end; ++i) {
    const double away = side * (values[i] - reference);
    if (away > cleaned.limit) {
      ++outliers;
    } else {
      rest += away;
    }
  }
  const std::size_t others = shorter.size() - outliers;
  if (outliers == 0 || others == 0) return false;
  if (rest >= kRestSigmas * sigma * std::sqrt(static_cast<double>(others))) return false;
  std::size_t elsewhere = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((i < shorter.first || i >= shorter.end) && cleaned.is_outlier[i]) ++elsewhere;
  }
  // Laplace's rule: one more of each than was seen.
  const double rate = (static_cast<double>(elsewhere) + 1) /
                      (static_cast<double>(values.size() - shorter.size()) + 2);
  return BinomialTail(outliers, shorter.size(), rate) > kBlipChance;
}

// Of the mean of a piece.
double MeanVariance(const Piece& piece, std::span<const double> sigma, double rho) {
  double sum = 0;
  for (std::size_t i = piece.first; i < piece.end; ++i)
    sum += sigma[i] * sigma[i];
  return sum / static_cast<double>(piece.size()) / EffectiveNights(piece.size(), rho);
}

}  // namespace

double Price(double units, std::size_t n, double innovation) {
  const double count = static_cast<double>(n);
  return innovation * count * std::expm1(units * std::log(count) / count);
}

double EffectiveNights(std::size_t nights, double rho) {
  return 1 + (static_cast<double>(nights) - 1) * (1 - rho) / (1 + rho);
}

Pieces FindPieces(const PieceCosts& costs, std::span<const double> cleaned, double rho,
                  const HistoryOptions& options) {
  const std::size_t n = cleaned.size();
  const double white = 1 - rho * rho;
  const double plain = Variance(cleaned) * white;
  Pieces found{{costs.Fit(0, n, false)}, {rho, plain, 0, static_cast<double>(n) - 1}};
  Noise& noise = found.noise;
  const double step = DifferenceSigma(cleaned);
  const double quiet = std::min(plain, step * step * (1 + rho));
  if (!IsPlain(costs, LimitsFor(options, n, quiet))) {
    // The first round takes the steps for noise too, and finds only what is beyond doubt.
    for (int round = 0; round < kMostRounds; ++round) {
      std::vector<Piece> next = Partition(costs, LimitsFor(options, n, noise.innovation));
      const bool settled = round > 0 && SameCuts(next, found.pieces);
      found.pieces = std::move(next);
      noise.degrees = DegreesLeft(found.pieces, n);
      noise.innovation = CostOf(found.pieces) / noise.degrees;
      if (noise.innovation <= kRounding * plain) noise.innovation = 0;
      if (settled || noise.innovation <= 0) break;
    }
  }
  noise.sigma = std::sqrt(noise.innovation / white);
  DropSmallEffects(found.pieces, costs, cleaned, options.least_effect * noise.sigma);
  return found;
}

void JoinBlips(Pieces& found, const PieceCosts& costs, std::span<const double> values,
               const Cleaned& cleaned) {
  std::vector<Piece>& pieces = found.pieces;
  if (found.noise.sigma <= 0 || cleaned.limit <= 0) return;
  for (std::size_t i = 1; i < pieces.size();) {
    const Piece& left = pieces[i - 1];
    const Piece& right = pieces[i];
    const bool is_left_shorter = left.size() < right.size();
    const bool is_flat = !left.is_sloped && !right.is_sloped;
    if (is_flat && IsBlips(is_left_shorter ? left : right, is_left_shorter ? right : left, values,
                           cleaned, found.noise.sigma)) {
      Join(pieces, costs, i);
    } else {
      ++i;
    }
  }
}

void JoinWithinSpread(Pieces& found, const PieceCosts& costs, std::span<const double> sigma,
                      const HistoryOptions& options) {
  std::vector<Piece>& pieces = found.pieces;
  const double least = Price(options.change_penalty, costs.size(), 1);
  for (std::size_t i = 1; i < pieces.size();) {
    const Piece& left = pieces[i - 1];
    const Piece& right = pieces[i];
    const double variance =
        MeanVariance(left, sigma, found.noise.rho) + MeanVariance(right, sigma, found.noise.rho);
    const double size = right.level - left.level;
    if (!left.is_sloped && !right.is_sloped && size * size < least * variance) {
      Join(pieces, costs, i);
    } else {
      ++i;
    }
  }
}

}  // namespace tacho::detect
