// From pieces to what is said of them: changes with size, place and verdict, and drifts.
#pragma once

#include <span>
#include <vector>

#include "server/detect/history.h"
#include "server/detect/pieces.h"

namespace tacho::detect {

// The level of each piece: the median of a flat one (blips cannot move it), the line's start of a
// sloped one.
std::vector<double> LevelsOf(const std::vector<Piece>& pieces, std::span<const double> values);

// The jumps between pieces, in order. Indices are positions in `values`, which lie around 0;
// `centre` is what to add for the true level. Verdicts are not given yet.
std::vector<Change> FindChanges(const Pieces& found, const PieceCosts& costs,
                                std::span<const double> values, double centre,
                                const HistoryOptions& options);

// Slopes that follow each other without a jump and in one direction are one drift. Leaves out what
// is below options.least_effect or options.least_relative.
std::vector<Drift> FindDrifts(const Pieces& found, const PieceCosts& costs, double centre,
                              const HistoryOptions& options);

// Moves to `small` what stays below options.least_relative even when added up since the last
// change that counts.
void SetSmallAside(std::vector<Change>& changes, std::vector<Change>& small, double least_relative);

// Gives each change its verdict. Requires: changes in order, of a series of `nights` present ones.
void GiveVerdicts(std::vector<Change>& changes, const HistoryOptions& options, std::size_t nights,
                  double sigma);

}  // namespace tacho::detect
