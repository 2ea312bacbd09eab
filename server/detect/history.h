// The history of one metric, night by night: where its level changed, where it drifts, what was a
// blip.
//
// Pure and deterministic: values in, verdicts out; no clock, no random numbers. docs/detecting.md
// has the arithmetic of every step with a worked example.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tacho::detect {

enum class Verdict : std::uint8_t {
  kStep,         // the level moved and stayed
  kDrift,        // it moves a little every night
  kBlip,         // one or two nights off, then back
  kProvisional,  // looks like a step, with too few nights on one side to be sure
  kWentAway,     // a step that later returned to the level before it
  kCensored,     // one side lies at the cap of what is measured: the size is a lower bound
};

std::string_view NameOf(Verdict verdict);  // "STEP" ...

// One set of constants for every series; docs/detecting.md says where each comes from.
struct HistoryOptions {
  // What a change must save, in log(n) units of the noise: 1 for its size and 2 for its place, as
  // in the modified BIC (Zhang and Siegmund 2007).
  double change_penalty = 3;
  // What a slope must save: 1 for its size and 1 for the choice of where it begins and ends, which
  // the changes around it mostly paid for already.
  double slope_penalty = 2;
  // Three nights can outvote one bad night. Twice as many confirm.
  std::size_t shortest_segment = 3;
  // Two weeks: below it a slope and two steps cannot be told apart.
  std::size_t shortest_drift = 14;
  // Smaller than the noise of one night is nobody's problem, however certain.
  double least_effect = 1;
  // Of the level before; 0 leaves the judgement of relevance to the caller.
  double least_relative = 0;
  // Values in one season (7: the weekday of nightly values; 24: the hour); 0: none. The value at
  // index i has the phase i modulo this.
  std::size_t season = 0;
  // The metric cannot read below or above these.
  std::optional<double> floor;
  std::optional<double> ceiling;
};

// The newest values that are looked at: the work grows with their square.
inline constexpr std::size_t kMostNights = 4096;

// All indices are those of the values given, missing nights included. A range [first, end) begins
// and ends next to a present night.
struct Segment {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t nights = 0;  // present ones
  double level = 0;        // the median; of a sloped segment, the line at `first`
  double slope = 0;        // per present night; 0 of a flat one
  bool operator==(const Segment&) const = default;
};

struct Change {
  std::size_t first = 0;     // of the new segment: the likeliest place
  std::size_t earliest = 0;  // every place from here
  std::size_t latest = 0;    // to here explains the values about as well
  Verdict verdict = Verdict::kStep;
  double before = 0;
  double after = 0;
  double relative = 0;  // (after - before) / |before|; NaN where before is 0
  double effect = 0;    // (after - before) in standard deviations of the noise of one night
  double p = 1;         // of so large a change anywhere in pure noise (corrected for the search)
  std::size_t nights_before = 0;  // present, in the segments on both sides
  std::size_t nights_after = 0;
  bool is_return = false;                   // undoes an earlier change
  bool is_cumulative = false;               // small steps that are a change only together
  std::optional<std::size_t> went_away_at;  // where the level of before came back
  bool operator==(const Change&) const = default;
};

struct Drift {
  std::size_t first = 0;
  std::size_t end = 0;
  double from = 0;
  double to = 0;
  double relative = 0;
  double effect = 0;
  double p = 1;
  bool operator==(const Drift&) const = default;
};

struct Blip {
  std::size_t first = 0;
  std::size_t nights = 0;  // one or two
  double value = 0;        // the farthest
  double expected = 0;
  double effect = 0;
  bool is_settled = true;  // false: among the newest nights, it may yet become a step
  bool operator==(const Blip&) const = default;
};

// The noise grew or shrank while the level may have stayed.
struct SpreadChange {
  std::size_t first = 0;
  double before = 0;  // standard deviations
  double after = 0;
  double p = 1;
  bool operator==(const SpreadChange&) const = default;
};

struct History {
  std::size_t nights = 0;      // present values
  std::size_t missing = 0;     // NaN or infinite
  std::size_t too_old = 0;     // present, but before the newest kMostNights
  bool is_enough = false;      // at least two shortest segments; else nothing below is filled
  double level = 0;            // of the last segment, at its end
  double sigma = 0;            // the noise of one night
  double rho = 0;              // what one night's deviation has in common with the next
  std::vector<double> season;  // what was taken off each phase; empty if nothing was
  std::vector<Segment> segments;
  std::vector<Change> changes;  // all but drifts and blips
  std::vector<Change> small;    // real, but below least_relative, also together
  std::vector<Drift> drifts;
  std::vector<Blip> blips;
  std::vector<SpreadChange> spreads;
  double p = 1;  // the smallest of changes and drifts, corrected for their number: for
                 // false_discovery.h
  bool operator==(const History&) const = default;
};

// Judges one series, oldest night first. A missing night is NaN (an infinite value counts as
// missing too) and changes nothing elsewhere.
History DetectHistory(std::span<const double> values, const HistoryOptions& options = {});

// The first index of each new segment: every change, whatever its verdict.
std::vector<std::size_t> FirstIndices(const History& history);

}  // namespace tacho::detect
