// `tacho detect FILE`: where the level of any series changed, with no server.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/values.h"
#include "server/detect/false_discovery.h"
#include "server/detect/history.h"
#include "server/detect/history_json.h"
#include "server/detect/otava.h"
#include "server/detect/series_file.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {
    {{.name = "file",
      .placeholder = "FILE",
      .help = "a .json file of {\"name\": [values]}, or a .csv file with a series a column"}}};

constexpr std::array<OptionDef, 7> kOptions = {
    {{.name = "full", .help = "with -o json: all that was found, not only the indices"},
     {.name = "season",
      .placeholder = "N",
      .help = "values in one season: 7 takes off weekdays, 24 hours of the day"},
     {.name = "least-relative",
      .placeholder = "PERCENT",
      .help = "the smallest change of level to report; small ones add up"},
     {.name = "like-otava", .help = "use Apache Otava's algorithm, to compare"},
     {.name = "window", .placeholder = "N", .help = "of --like-otava (50)"},
     {.name = "max-p", .placeholder = "P", .help = "of --like-otava (0.001)"},
     {.name = "min-magnitude", .placeholder = "PERCENT", .help = "of --like-otava (0)"}}};

Result<std::string> ReadFile(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) {
    return Status(Code::kNotFound, fmt::format("{} cannot be read: {}.", path, error.message()));
  }
  if (bytes > detect::kMostFileBytes) {
    return Status(Code::kInvalid, fmt::format("{} has {} bytes; at most {} are read.", path, bytes,
                                              detect::kMostFileBytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Status(Code::kNotFound, fmt::format("{} cannot be read.", path));
  return text;
}

Result<detect::SeriesFile> ReadSeries(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".csv" && extension != ".json") {
    return Status(
        Code::kInvalid,
        fmt::format("{} is neither a .csv nor a .json file, so its form is unknown.", path));
  }
  auto text = ReadFile(path);
  if (!text.ok()) return std::move(text).status();
  auto file = extension == ".csv" ? detect::ParseSeriesCsv(*text) : detect::ParseSeriesJson(*text);
  if (!file.ok()) return std::move(file).status().Under(path);
  return file;
}

// The number given to an option, within [0, most].
Result<double> Number(const CommandArguments& arguments, std::string_view name, double fallback,
                      double most) {
  if (!arguments.Has(name)) return fallback;
  const std::string text = arguments.Text(name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0 && value <= most)) {
    return Status(Code::kInvalid,
                  fmt::format("--{} takes a number from 0 to {}, not '{}'.", name, most, text));
  }
  return value;
}

Result<detect::HistoryOptions> ParseOptions(const CommandArguments& arguments) {
  constexpr std::int64_t kLongestSeason = 512;
  auto season = arguments.Int("season", 0, {.least = 2, .most = kLongestSeason});
  if (!season.ok()) return std::move(season).status();
  auto least = Number(arguments, "least-relative", 0, 1000);
  if (!least.ok()) return std::move(least).status();
  detect::HistoryOptions options;
  options.season = static_cast<std::size_t>(*season);
  options.least_relative = *least / 100;
  return options;
}

Result<detect::OtavaOptions> ParseOtavaOptions(const CommandArguments& arguments) {
  constexpr auto kWidest = static_cast<std::int64_t>(detect::kWidestOtavaWindow);
  auto window = arguments.Int("window", 50, {.least = 2, .most = kWidest});
  if (!window.ok()) return std::move(window).status();
  auto max_p = Number(arguments, "max-p", 0.001, 1);
  if (!max_p.ok()) return std::move(max_p).status();
  auto magnitude = Number(arguments, "min-magnitude", 0, 1000);
  if (!magnitude.ok()) return std::move(magnitude).status();
  return detect::OtavaOptions{.window = static_cast<std::size_t>(*window),
                              .max_p = *max_p,
                              .min_magnitude = *magnitude / 100};
}

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> columns = {
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
  return columns;
}

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
  return {.shown = fmt::format("{:+.2f} %", 100 * relative), .raw = FormatExact(relative)};
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

// What is known of one series.
struct Judged {
  const detect::NamedSeries& series;
  detect::History history;
  double q = 1;
};

std::vector<TableCell> Row(const Judged& judged, const Finding& finding,
                           std::span<const std::string> rows) {
  const std::string index = fmt::format("{}", finding.index);
  const std::string row = finding.index < rows.size() ? rows[finding.index] : "";
  return {TextCell(judged.series.name),
          TextCell(finding.verdict, finding.tone),
          {.shown = index, .raw = index},
          row.empty() ? Absent() : TextCell(row),
          TextCell(finding.place),
          NumberCell(finding.before, "{:.6g}"),
          NumberCell(finding.after, "{:.6g}"),
          RelativeCell(finding.before, finding.after),
          NumberCell(finding.sigmas, "{:+.1f}"),
          finding.has_p ? NumberCell(finding.p, "{:.2g}") : Absent(),
          finding.has_p ? NumberCell(judged.q, "{:.2g}") : Absent(),
          finding.note.empty() ? Absent() : TextCell(finding.note)};
}

std::vector<Judged> JudgeAll(const detect::SeriesFile& file,
                             const detect::HistoryOptions& options) {
  std::vector<Judged> all;
  std::vector<double> p;
  all.reserve(file.series.size());
  for (const detect::NamedSeries& series : file.series) {
    all.push_back({series, detect::DetectHistory(series.values, options)});
    p.push_back(all.back().history.is_enough ? all.back().history.p : std::nan(""));
  }
  const std::vector<double> q = detect::AdjustForMany(p);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i].q = q[i];
  return all;
}

// "2 changes and 1 drift in 12 series."
std::string Headline(const std::vector<Judged>& all) {
  std::size_t changes = 0;
  std::size_t drifts = 0;
  for (const Judged& judged : all) {
    changes += judged.history.changes.size();
    drifts += judged.history.drifts.size();
  }
  return fmt::format("{} and {} in {} series.", CountOf(changes, "change"),
                     CountOf(drifts, "drift"), all.size());
}

std::string Coverage(const std::vector<Judged>& all) {
  std::size_t present = 0;
  std::size_t missing = 0;
  std::size_t too_short = 0;
  for (const Judged& judged : all) {
    present += judged.history.nights;
    missing += judged.history.missing;
    too_short += judged.history.is_enough ? 0U : 1U;
  }
  std::string text = fmt::format("{}, {} missing", CountOf(present, "value"), missing);
  if (too_short > 0)
    text += fmt::format("; {} of {} series too short to judge", too_short, all.size());
  return text;
}

AnswerPage PageOf(const detect::SeriesFile& file, const std::vector<Judged>& all, bool is_full) {
  AnswerPage page;
  page.json = Json::Object{};
  Section section{.table = {.columns = Columns()},
                  .if_empty = "No level changed, nothing drifts, no night is a blip."};
  for (const Judged& judged : all) {
    page.json.Append(judged.series.name, is_full ? detect::FullJson(judged.history, judged.q)
                                                 : detect::IndicesJson(judged.history));
    for (const Finding& finding : FindingsOf(judged.history)) {
      section.table.rows.push_back(Row(judged, finding, file.rows));
    }
  }
  page.headline = Headline(all);
  page.sections.push_back(std::move(section));
  page.coverage = Coverage(all);
  return page;
}

AnswerPage OtavaPage(const detect::SeriesFile& file, const detect::OtavaOptions& options) {
  AnswerPage page;
  page.json = Json::Object{};
  Section section{.table = {.columns = {{.name = "series", .is_elastic = true},
                                        {.name = "index", .is_right = true}}},
                  .if_empty = "Apache Otava's algorithm finds no change point."};
  for (const detect::NamedSeries& series : file.series) {
    Json::Array indices;
    for (const std::size_t index : detect::DetectLikeOtava(series.values, options)) {
      const std::string text = fmt::format("{}", index);
      indices.push_back(static_cast<std::uint64_t>(index));
      section.table.rows.push_back({TextCell(series.name), {.shown = text, .raw = text}});
    }
    page.json.Append(series.name, std::move(indices));
  }
  page.sections.push_back(std::move(section));
  return page;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& /*context*/) {
  auto options = ParseOptions(arguments);
  if (!options.ok()) return std::move(options).status();
  auto otava = ParseOtavaOptions(arguments);
  if (!otava.ok()) return std::move(otava).status();
  auto file = ReadSeries(arguments.Text("file"));
  if (!file.ok()) return std::move(file).status();
  if (arguments.Has("like-otava")) return OtavaPage(*file, *otava);
  return PageOf(*file, JudgeAll(*file, *options), arguments.Has("full"));
}

}  // namespace

extern constinit const Command kDetectCommand{
    .path = "detect",
    .summary = "find steps, drifts and blips in any series; needs no server",
    .details =
        "Oldest value first. In JSON null is a missing value, in CSV an empty cell; the first "
        "column of a CSV\nnames the row. -o json prints {\"name\": [first index of each new "
        "segment]}. Exits 0 whatever it finds:\n`check` is the gate.",
    .examples =
        "tacho detect nightly.csv                        # a line a finding\n"
        "tacho detect nightly.json -o json\n"
        "tacho detect latency.csv --season 7 --least-relative 3 -o json --full",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
