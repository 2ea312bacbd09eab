// From pieces to what is said of them.
#include "server/detect/changes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "server/detect/bend.h"
#include "server/detect/probability.h"
#include "server/detect/robust.h"

namespace tacho::detect {
namespace {

double Relative(double before, double after) {
  if (before == 0) return std::numeric_limits<double>::quiet_NaN();
  return (after - before) / std::abs(before);
}

double Effect(double before, double after, double sigma) {
  if (sigma > 0) return (after - before) / sigma;
  return after == before ? 0
                         : std::copysign(std::numeric_limits<double>::infinity(), after - before);
}

// Of a squared-error saving this large by chance, at any of n places.
double ChanceOf(double saved, const Noise& noise, std::size_t n) {
  if (noise.innovation <= 0) return 0;
  const double t = std::sqrt(std::max(0.0, saved) / noise.innovation);
  return std::min(1.0, static_cast<double>(n) * StudentTwoSided(t, noise.degrees));
}

// What the jump between two pieces saves over the best fit without one: one level, or where a piece
// is sloped a line with a bend, on whose flat side a slope may be bought too.
double SavedByJump(Piece left, Piece right, const PieceCosts& costs, double slope_price) {
  const double apart = left.cost + right.cost;
  if (!left.is_sloped && !right.is_sloped) return costs.Flat(left.first, right.end) - apart;
  double joined = CostOfBend(costs, left, right);
  if (!left.is_sloped || !right.is_sloped) {
    left.is_sloped = right.is_sloped = true;
    joined = std::min(joined, CostOfBend(costs, left, right) + slope_price);
  }
  return joined - apart;
}

// Whether two pieces, of which one is sloped, are joined by a jump and not by a bend. The jump has
// the price of a slope: a size and a place.
bool IsJump(const Piece& left, const Piece& right, const PieceCosts& costs, const Noise& noise,
            const HistoryOptions& options) {
  const double jump = right.level - left.At(right.first);
  if (std::abs(jump) < options.least_effect * noise.sigma) return false;
  const double price = Price(options.slope_penalty, costs.size(), noise.innovation);
  return SavedByJump(left, right, costs, price) > price;
}

// All places around the change that cost at most half a change more than the best.
void SetInterval(Change& change, const Piece& left, const Piece& right, const PieceCosts& costs,
                 const HistoryOptions& options, double innovation) {
  const auto cost = [&](std::size_t place) {
    return (left.is_sloped ? costs.Sloped(left.first, place) : costs.Flat(left.first, place)) +
           (right.is_sloped ? costs.Sloped(place, right.end) : costs.Flat(place, right.end));
  };
  const double limit =
      left.cost + right.cost + Price(options.change_penalty, costs.size(), innovation) / 2;
  std::size_t earliest = right.first;
  while (earliest > left.first + 1 && cost(earliest - 1) <= limit)
    --earliest;
  std::size_t latest = right.first;
  while (latest + 1 < right.end && cost(latest + 1) <= limit)
    ++latest;
  change.earliest = earliest;
  change.latest = latest;
}

bool IsAtCap(double level, const HistoryOptions& options) {
  return (options.ceiling && level >= *options.ceiling) ||
         (options.floor && level <= *options.floor);
}

// Marks the change that a later one undoes. The return itself must have lasted, or it is one more
// thing that is provisional.
void MarkReturn(std::vector<Change>& changes, std::size_t at, double least, std::size_t confirmed) {
  Change& onset = changes[at];
  const bool is_up = onset.after > onset.before;
  for (std::size_t j = at + 1; j < changes.size(); ++j) {
    const double left_over = changes[j].after - onset.before;
    if (std::abs(left_over) < least) {
      const bool has_lasted = changes[j].nights_after >= confirmed || j + 1 < changes.size();
      changes[j].is_return = true;
      if (has_lasted) onset.went_away_at = changes[j].first;
      return;
    }
    if ((left_over > 0) != is_up) return;  // beyond the old level: another change, not a return
  }
}

}  // namespace

std::vector<double> LevelsOf(const std::vector<Piece>& pieces, std::span<const double> values) {
  std::vector<double> levels;
  levels.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    levels.push_back(piece.is_sloped ? piece.level
                                     : Median(values.subspan(piece.first, piece.size())));
  }
  return levels;
}

std::vector<Change> FindChanges(const Pieces& found, const PieceCosts& costs,
                                std::span<const double> values, double centre,
                                const HistoryOptions& options) {
  const std::vector<Piece>& pieces = found.pieces;
  const std::vector<double> levels = LevelsOf(pieces, values);
  const double slope_price = Price(options.slope_penalty, values.size(), found.noise.innovation);
  std::vector<Change> changes;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const Piece& left = pieces[i - 1];
    const Piece& right = pieces[i];
    Change change;
    change.first = right.first;
    change.before = centre + (left.is_sloped ? left.At(right.first) : levels[i - 1]);
    change.after = centre + levels[i];
    const bool is_flat = !left.is_sloped && !right.is_sloped;
    if (!is_flat && !IsJump(left, right, costs, found.noise, options)) {
      continue;
    }
    change.p = ChanceOf(SavedByJump(left, right, costs, slope_price), found.noise, values.size());
    change.relative = Relative(change.before, change.after);
    change.effect = Effect(change.before, change.after, found.noise.sigma);
    change.nights_before = left.size();
    change.nights_after = right.size();
    SetInterval(change, left, right, costs, options, found.noise.innovation);
    changes.push_back(change);
  }
  return changes;
}

std::vector<Drift> FindDrifts(const Pieces& found, const PieceCosts& costs, double centre,
                              const HistoryOptions& options) {
  const std::vector<Piece>& pieces = found.pieces;
  std::vector<Drift> drifts;
  for (std::size_t i = 0; i < pieces.size();) {
    const Piece& start = pieces[i];
    std::size_t last = i++;
    if (!start.is_sloped) continue;
    double saved = costs.Flat(start.first, start.end) - start.cost;
    while (i < pieces.size() && pieces[i].is_sloped && (pieces[i].slope > 0) == (start.slope > 0) &&
           !IsJump(pieces[last], pieces[i], costs, found.noise, options)) {
      saved += costs.Flat(pieces[i].first, pieces[i].end) - pieces[i].cost;
      last = i++;
    }
    Drift drift{.first = start.first, .end = pieces[last].end, .from = centre + start.level};
    drift.to = centre + pieces[last].At(drift.end - 1);
    drift.relative = Relative(drift.from, drift.to);
    drift.effect = Effect(drift.from, drift.to, found.noise.sigma);
    drift.p = ChanceOf(saved, found.noise, costs.size());
    const bool is_small = std::abs(drift.effect) < options.least_effect ||
                          std::abs(drift.relative) < options.least_relative;
    if (!is_small) drifts.push_back(drift);
  }
  return drifts;
}

void SetSmallAside(std::vector<Change>& changes, std::vector<Change>& small,
                   double least_relative) {
  if (least_relative <= 0 || changes.empty()) return;
  std::vector<Change> kept;
  double reference = changes.front().before;
  for (Change change : changes) {
    const double together = Relative(reference, change.after);
    if (std::abs(together) < least_relative) {
      small.push_back(change);
      continue;
    }
    if (std::abs(change.relative) < least_relative) {
      change.is_cumulative = true;
      change.effect *= (change.after - reference) / (change.after - change.before);
      change.before = reference;
      change.relative = together;
    }
    reference = change.after;
    kept.push_back(change);
  }
  changes = std::move(kept);
}

void GiveVerdicts(std::vector<Change>& changes, const HistoryOptions& options, std::size_t nights,
                  double sigma) {
  const std::size_t confirmed = 2 * options.shortest_segment;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    MarkReturn(changes, i, options.least_effect * sigma, confirmed);
  }
  for (Change& change : changes) {
    if (IsAtCap(change.before, options) || IsAtCap(change.after, options)) {
      change.verdict = Verdict::kCensored;
    } else if (change.went_away_at) {
      change.verdict = Verdict::kWentAway;
    } else if (nights - change.first < confirmed || change.first < confirmed) {
      change.verdict = Verdict::kProvisional;
    } else {
      change.verdict = Verdict::kStep;
    }
  }
}

}  // namespace tacho::detect
