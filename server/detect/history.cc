// The history of one metric: the order of the steps.
#include "server/detect/history.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "server/detect/autocorrelation.h"
#include "server/detect/changes.h"
#include "server/detect/outliers.h"
#include "server/detect/partition.h"
#include "server/detect/pieces.h"
#include "server/detect/robust.h"
#include "server/detect/season.h"
#include "server/detect/spread.h"

namespace tacho::detect {
namespace {

// The present values, and where they came from.
struct Present {
  std::vector<double> values;
  std::vector<std::size_t> index;
};

Present Compact(std::span<const double> values, History& history) {
  Present present;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      ++history.missing;
      continue;
    }
    present.values.push_back(values[i]);
    present.index.push_back(i);
  }
  history.nights = present.values.size();
  if (history.nights > kMostNights) {
    history.too_old = history.nights - kMostNights;
    const auto old = static_cast<std::ptrdiff_t>(history.too_old);
    present.values.erase(present.values.begin(), present.values.begin() + old);
    present.index.erase(present.index.begin(), present.index.begin() + old);
  }
  return present;
}

void TakeOffSeason(Present& present, std::size_t period, History& history) {
  if (period < 2) return;
  std::vector<std::size_t> phases;
  for (const std::size_t index : present.index)
    phases.push_back(index % period);
  history.season = SeasonOf(present.values, phases, period);
  if (history.season.empty()) return;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    present.values[i] -= history.season[phases[i]];
  }
}

// Deviations from the pieces, each night's freed of what it has in common with the night before.
std::vector<double> Innovations(const std::vector<Piece>& pieces, std::span<const double> values,
                                double rho) {
  std::vector<double> deviations(values.size());
  double last = 0;
  for (const Piece& piece : pieces) {
    for (std::size_t i = piece.first; i < piece.end; ++i) {
      const double away = values[i] - piece.At(i);
      deviations[i] = away - rho * last;
      last = away;
    }
  }
  return deviations;
}

// The standard deviation at each night: that of the stretch between changes of spread.
std::vector<double> SigmaByNight(const History& history, std::size_t nights) {
  std::vector<double> sigma(nights, history.sigma);
  if (history.spreads.empty()) return sigma;
  const double white = std::sqrt(1 - history.rho * history.rho);
  std::fill(sigma.begin(), sigma.end(), history.spreads.front().before / white);
  for (const SpreadChange& spread : history.spreads) {
    std::fill(sigma.begin() + static_cast<std::ptrdiff_t>(spread.first), sigma.end(),
              spread.after / white);
  }
  return sigma;
}

// Runs of one or two nights that lie beyond the outlier limit on one side of the fitted level.
std::vector<Blip> FindBlips(const std::vector<Piece>& pieces, std::span<const double> levels,
                            std::span<const double> values, std::span<const double> sigma) {
  std::vector<double> effect(values.size());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    for (std::size_t i = pieces[k].first; i < pieces[k].end; ++i) {
      const double level = pieces[k].is_sloped ? pieces[k].At(i) : levels[k];
      effect[i] = sigma[i] > 0 ? (values[i] - level) / sigma[i] : 0;
    }
  }
  std::vector<Blip> blips;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    std::size_t peak = i;
    while (end < values.size() && std::abs(effect[end]) > kOutlierSigmas &&
           (effect[end] > 0) == (effect[i] > 0)) {
      if (std::abs(effect[end]) > std::abs(effect[peak])) peak = end;
      ++end;
    }
    if (end > i && end - i <= kLongestBlip) {
      blips.push_back({.first = i,
                       .nights = end - i,
                       .value = values[peak],
                       .expected = values[peak] - effect[peak] * sigma[peak],
                       .effect = effect[peak],
                       .is_settled = end < values.size()});
    }
    i = std::max(end, i + 1);
  }
  return blips;
}

// From positions among the present values of the centred series to what the caller gave.
class Translation {
 public:
  Translation(std::span<const std::size_t> index, double centre) : index_(index), centre_(centre) {}

  void Apply(Change& change) const {
    change.first = index_[change.first];
    change.earliest = index_[change.earliest];
    change.latest = index_[change.latest];
    if (change.went_away_at) change.went_away_at = index_[*change.went_away_at];
  }
  void Apply(Drift& drift) const {
    drift.first = index_[drift.first];
    drift.end = index_[drift.end - 1] + 1;
  }
  void Apply(Blip& blip) const {
    blip.first = index_[blip.first];
    blip.value += centre_;
    blip.expected += centre_;
  }
  void Apply(SpreadChange& spread) const { spread.first = index_[spread.first]; }
  Segment Apply(const Piece& piece, double level) const {
    return {.first = index_[piece.first],
            .end = index_[piece.end - 1] + 1,
            .nights = piece.size(),
            .level = level + centre_,
            .slope = piece.slope};
  }

 private:
  std::span<const std::size_t> index_;
  double centre_;
};

double SmallestChance(const History& history) {
  double smallest = 1;
  const std::size_t count = history.changes.size() + history.drifts.size();
  for (const Change& change : history.changes)
    smallest = std::min(smallest, change.p);
  for (const Drift& drift : history.drifts)
    smallest = std::min(smallest, drift.p);
  return std::min(1.0, smallest * static_cast<double>(std::max<std::size_t>(count, 1)));
}

// The pieces that stand, and the changes of spread beside them.
Pieces FindStanding(const Cleaned& cleaned, std::span<const double> values, const PieceCosts& costs,
                    double rho, const HistoryOptions& options, History& history) {
  Pieces found = FindPieces(costs, cleaned.values, rho, options);
  JoinBlips(found, costs, values, cleaned);
  history.sigma = found.noise.sigma;
  history.rho = rho;
  history.spreads = FindSpreadChanges(Innovations(found.pieces, values, rho), options);
  if (!history.spreads.empty()) {
    JoinWithinSpread(found, costs, SigmaByNight(history, values.size()), options);
  }
  return found;
}

void Describe(const Pieces& found, const PieceCosts& costs, std::span<const double> values,
              double centre, const HistoryOptions& options, History& history) {
  history.changes = FindChanges(found, costs, values, centre, options);
  SetSmallAside(history.changes, history.small, options.least_relative);
  GiveVerdicts(history.changes, options, values.size(), history.sigma);
  history.drifts = FindDrifts(found, costs, centre, options);
  const std::vector<double> levels = LevelsOf(found.pieces, values);
  history.blips = FindBlips(found.pieces, levels, values, SigmaByNight(history, values.size()));
  history.p = SmallestChance(history);
}

void Translate(const Translation& to, const Pieces& found, std::span<const double> values,
               History& history) {
  for (Change& change : history.changes)
    to.Apply(change);
  for (Change& change : history.small)
    to.Apply(change);
  for (Drift& drift : history.drifts)
    to.Apply(drift);
  for (Blip& blip : history.blips)
    to.Apply(blip);
  for (SpreadChange& spread : history.spreads)
    to.Apply(spread);
  const std::vector<double> levels = LevelsOf(found.pieces, values);
  for (std::size_t i = 0; i < found.pieces.size(); ++i) {
    history.segments.push_back(to.Apply(found.pieces[i], levels[i]));
  }
  const Segment& last = history.segments.back();
  history.level = last.level + last.slope * static_cast<double>(last.nights - 1);
}

// Nothing ever moved: one segment, no noise.
void DescribeConstant(const Present& present, History& history) {
  history.level = present.values.front();
  history.segments.push_back({.first = present.index.front(),
                              .end = present.index.back() + 1,
                              .nights = present.values.size(),
                              .level = history.level});
}

}  // namespace

std::string_view NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kStep:
      return "STEP";
    case Verdict::kDrift:
      return "DRIFT";
    case Verdict::kBlip:
      return "BLIP";
    case Verdict::kProvisional:
      return "PROVISIONAL";
    case Verdict::kWentAway:
      return "WENT_AWAY";
    case Verdict::kCensored:
      return "CENSORED";
  }
  return "UNKNOWN";
}

History DetectHistory(std::span<const double> values, const HistoryOptions& options) {
  History history;
  Present present = Compact(values, history);
  if (present.values.size() < 2 * options.shortest_segment) return history;
  history.is_enough = true;
  TakeOffSeason(present, options.season, history);
  const auto [least, most] = std::minmax_element(present.values.begin(), present.values.end());
  if (*least == *most) {
    DescribeConstant(present, history);
    return history;
  }
  // Around 0, running sums of squares lose the fewest digits.
  const double centre = Median(present.values);
  for (double& value : present.values)
    value -= centre;
  const Cleaned cleaned = CleanOutliers(present.values);
  const double rho = Autocorrelation(cleaned.values);
  const PieceCosts costs(cleaned.values, rho);
  const Pieces found = FindStanding(cleaned, present.values, costs, rho, options, history);
  Describe(found, costs, present.values, centre, options, history);
  Translate(Translation(present.index, centre), found, present.values, history);
  return history;
}

std::vector<std::size_t> FirstIndices(const History& history) {
  std::vector<std::size_t> indices;
  for (const Change& change : history.changes)
    indices.push_back(change.first);
  return indices;
}

}  // namespace tacho::detect
