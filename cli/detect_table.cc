// The findings of `tacho detect` as rows of a table.
#include "cli/detect_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "cli/values.h"

namespace tacho {
namespace {

// One line of the table.
struct Finding {
  std::string verdict{};
  Tone tone = Tone::kPlain;
  std::size_t index = 0;
  std::string place{};
  double before = 0;
  double after = 0;
  double sigmas = 0;
  double p = 1;
  bool has_p = true;
  std::string note{};
};

TableCell NumberCell(double value, const char* form) {
  if (!std::isfinite(value)) return Absent();
  return {.shown = fmt::format(fmt::runtime(form), value), .raw = FormatExact(value)};
}

TableCell RelativeCell(double before, double after) {
  if (before == 0) return Absent();
  const double relative = (after - before) / std::abs(before);
  // A change that is worth a row is never shown as none.
  const bool is_tiny = std::abs(relative) < 1e-4;
  return {.shown = fmt::format(fmt::runtime(is_tiny ? "{:+.3g} %" : "{:+.2f} %"), 100 * relative),
          .raw = FormatExact(relative)};
}

std::string RangeText(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
}

Finding ToFinding(const detect::Change& change) {
  Finding finding{.verdict = std::string(detect::NameOf(change.verdict)),
                  .index = change.first,
                  .place = RangeText(change.earliest, change.latest),
                  .before = change.before,
                  .after = change.after,
                  .sigmas = change.effect,
                  .p = change.p};
  if (change.verdict == detect::Verdict::kProvisional) finding.tone = Tone::kWarn;
  if (change.verdict == detect::Verdict::kWentAway) finding.tone = Tone::kDim;
  if (change.went_away_at) finding.note = fmt::format("back at {}", *change.went_away_at);
  if (change.is_return) finding.note = "undoes an earlier change";
  if (change.is_cumulative) finding.note = "several small steps together";
  return finding;
}

Finding ToFinding(const detect::Drift& drift) {
  return {.verdict = "DRIFT",
          .tone = Tone::kWarn,
          .index = drift.first,
          .place = RangeText(drift.first, drift.end - 1),
          .before = drift.from,
          .after = drift.to,
          .sigmas = drift.effect,
          .p = drift.p};
}

Finding ToFinding(const detect::Blip& blip) {
  return {.verdict = "BLIP",
          .tone = Tone::kDim,
          .index = blip.first,
          .place = RangeText(blip.first, blip.first + blip.nights - 1),
          .before = blip.expected,
          .after = blip.value,
          .sigmas = blip.effect,
          .has_p = false,
          .note = blip.is_settled ? "" : "may yet become a step"};
}

Finding ToFinding(const detect::SpreadChange& spread) {
  return {.verdict = "SPREAD",
          .index = spread.first,
          .place = fmt::format("{}", spread.first),
          .before = spread.before,
          .after = spread.after,
          .sigmas = std::nan(""),
          .p = spread.p,
          .note = "standard deviation before and after"};
}

// In order of index; of one index, in the order of the lists.
std::vector<Finding> FindingsOf(const detect::History& history) {
  std::vector<Finding> findings;
  const auto add = [&](const auto& list) {
    for (const auto& entry : list)
      findings.push_back(ToFinding(entry));
  };
  add(history.changes);
  add(history.drifts);
  add(history.spreads);
  add(history.blips);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.index < b.index; });
  return findings;
}

std::vector<TableCell> Row(const std::string& name, const Finding& finding, double q,
                           std::span<const std::string> rows) {
  const std::string index = fmt::format("{}", finding.index);
  const std::string row = finding.index < rows.size() ? rows[finding.index] : "";
  return {TextCell(name),
          TextCell(finding.verdict, finding.tone),
          {.shown = index, .raw = index},
          row.empty() ? Absent() : TextCell(row),
          TextCell(finding.place),
          NumberCell(finding.before, "{:.6g}"),
          NumberCell(finding.after, "{:.6g}"),
          RelativeCell(finding.before, finding.after),
          NumberCell(finding.sigmas, "{:+.1f}"),
          finding.has_p ? NumberCell(finding.p, "{:.2g}") : Absent(),
          finding.has_p ? NumberCell(q, "{:.2g}") : Absent(),
          finding.note.empty() ? Absent() : TextCell(finding.note)};
}

// A series that is too short has a row as well: that nothing was found in it would be no news.
std::vector<TableCell> TooShortRow(const std::string& name, const std::string& note) {
  std::vector<TableCell> row(FindingColumns().size(), Absent());
  row.front() = TextCell(name);
  row[1] = TextCell("TOO_SHORT", Tone::kMissing);
  row.back() = TextCell(note);
  return row;
}

}  // namespace

const std::vector<TableColumn>& FindingColumns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "series", .is_elastic = true},
      {.name = "verdict"},
      {.name = "index", .is_right = true},
      {.name = "row", .rank = 6, .is_elastic = true},
      {.name = "place", .rank = 5},
      {.name = "before", .rank = 2, .is_right = true},
      {.name = "after", .rank = 1, .is_right = true},
      {.name = "change", .is_right = true},
      {.name = "sigmas", .rank = 3, .is_right = true},
      {.name = "p", .rank = 4, .is_right = true},
      {.name = "q", .where = Where::kDataOnly},
      {.name = "note", .rank = 7, .is_elastic = true},
  };
  return kColumns;
}

std::string TooShortText(std::size_t values) {
  return fmt::format("{}, at least {} are needed", CountOf(values, "value"), kFewestValues);
}

void AddFindings(const std::string& name, const detect::History& history, double q,
                 std::span<const std::string> rows, Table& table) {
  if (!history.is_enough) table.rows.push_back(TooShortRow(name, TooShortText(history.nights)));
  for (const Finding& finding : FindingsOf(history)) {
    table.rows.push_back(Row(name, finding, q, rows));
  }
}

}  // namespace tacho
