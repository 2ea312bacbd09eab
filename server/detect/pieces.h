// From cleaned values to the flat and sloped pieces that are worth talking about, and their noise.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "server/detect/history.h"
#include "server/detect/outliers.h"
#include "server/detect/partition.h"

namespace tacho::detect {

struct Noise {
  double rho = 0;
  double innovation = 0;  // variance of what is new each night
  double sigma = 0;       // standard deviation of one night: innovation / (1 - rho^2), its root
  double degrees = 1;     // of freedom of that estimate
};

struct Pieces {
  std::vector<Piece> pieces;  // cover all values
  Noise noise;
};

// What `unit` log(n)s cost with that noise: n values whose error sum is n * innovation fit better
// by it if their likelihood, with the variance unknown, grows by n^(unit / 2).
double Price(double units, std::size_t n, double innovation);

// How many independent nights `nights` correlated ones are worth.
double EffectiveNights(std::size_t nights, double rho);

// Partitions, estimates the noise from what remains, and repeats until both agree; then drops
// changes smaller than options.least_effect. Requires: two shortest segments, values not all equal.
Pieces FindPieces(const PieceCosts& costs, std::span<const double> cleaned, double rho,
                  const HistoryOptions& options);

// Joins pieces that only blips hold apart: without its outliers the shorter one lies at the level
// of its neighbour, and so many outliers may well fall there by chance.
void JoinBlips(Pieces& found, const PieceCosts& costs, std::span<const double> values,
               const Cleaned& cleaned);

// Joins flat pieces whose difference is no surprise in the noise of those very nights, where the
// noise is wider than that of the whole. `sigma` is the standard deviation at each night.
void JoinWithinSpread(Pieces& found, const PieceCosts& costs, std::span<const double> sigma,
                      const HistoryOptions& options);

}  // namespace tacho::detect
