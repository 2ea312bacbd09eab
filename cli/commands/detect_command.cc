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
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/detect_table.h"
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
     {.name = "window", .placeholder = "N", .help = "of --like-otava alone (50)"},
     {.name = "max-p", .placeholder = "P", .help = "of --like-otava alone (0.001)"},
     {.name = "min-magnitude", .placeholder = "PERCENT", .help = "of --like-otava alone (0)"}}};

bool IsJson(Format format) {
  return format == Format::kJson || format == Format::kJsonLines;
}

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

// What is known of one series.
struct Judged {
  const detect::NamedSeries& series;
  detect::History history;
  double q = 1;
};

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

// "2 changes and 1 drift in 12 series."; says nothing of series that were not judged.
std::string Headline(const std::vector<Judged>& all) {
  std::size_t changes = 0;
  std::size_t drifts = 0;
  std::size_t judged = 0;
  for (const Judged& one : all) {
    changes += one.history.changes.size();
    drifts += one.history.drifts.size();
    judged += one.history.is_enough ? 1U : 0U;
  }
  if (all.empty()) return "There is no series in the file: nothing was judged.";
  if (judged == 0) {
    return fmt::format("Nothing was judged: {0} of {0} series too short.", all.size());
  }
  std::string text = fmt::format("{} and {} in {} series", CountOf(changes, "change"),
                                 CountOf(drifts, "drift"), judged);
  if (judged < all.size()) text += fmt::format("; {} too short to judge", all.size() - judged);
  return text + '.';
}

std::string Coverage(const std::vector<Judged>& all) {
  std::size_t present = 0;
  std::size_t missing = 0;
  for (const Judged& judged : all) {
    present += judged.history.nights;
    missing += judged.history.missing;
  }
  return fmt::format("{}, {} missing", CountOf(present, "value"), missing);
}

std::string TooShortSentence(const std::string& name, std::size_t values) {
  return fmt::format("{} is too short to judge: {}.", name, TooShortText(values));
}

// The first few of many sentences, and how many more there are.
std::vector<std::string> Shortened(std::vector<std::string> sentences) {
  constexpr std::size_t kMost = 12;
  if (sentences.size() <= kMost) return sentences;
  const std::size_t more = sentences.size() - kMost;
  sentences.resize(kMost);
  sentences.push_back(fmt::format("{} more series are too short to judge.", more));
  return sentences;
}

Json JsonOf(const Judged& judged, bool is_full) {
  if (!is_full) return detect::IndicesJson(judged.history);
  Json json = detect::FullJson(judged.history, judged.q);
  json.Set("is_enough", judged.history.is_enough);
  return json;
}

AnswerPage PageOf(const detect::SeriesFile& file, const std::vector<Judged>& all, bool is_full,
                  bool is_json) {
  AnswerPage page;
  page.json = Json::Object{};
  Section section{.table = {.columns = FindingColumns()}};
  std::vector<std::string> too_short;
  if (!all.empty()) section.if_empty = "No level changed, nothing drifts, no night is a blip.";
  for (const Judged& judged : all) {
    const std::string& name = judged.series.name;
    page.json.Append(name, JsonOf(judged, is_full));
    AddFindings(name, judged.history, judged.q, file.rows, section.table);
    if (!judged.history.is_enough) {
      too_short.push_back(TooShortSentence(name, judged.history.nights));
    }
  }
  // Rows name them all.
  if (is_json) page.notes = Shortened(std::move(too_short));
  page.headline = Headline(all);
  page.sections.push_back(std::move(section));
  page.coverage = Coverage(all);
  return page;
}

std::size_t CountPresent(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(),
                                                [](double value) { return std::isfinite(value); }));
}

// Otava's algorithm answers of three values as of three hundred: that it saw no change. What the
// detector would not judge is said of it too.
AnswerPage OtavaPage(const detect::SeriesFile& file, const detect::OtavaOptions& options) {
  AnswerPage page;
  page.json = Json::Object{};
  std::vector<std::string> too_short;
  Section section{.table = {.columns = {{.name = "series", .is_elastic = true},
                                        {.name = "index", .is_right = true}}}};
  for (const detect::NamedSeries& series : file.series) {
    const std::size_t present = CountPresent(series.values);
    if (present < kFewestValues) {
      too_short.push_back(TooShortSentence(series.name, present));
    }
    Json::Array indices;
    for (const std::size_t index : detect::DetectLikeOtava(series.values, options)) {
      const std::string text = fmt::format("{}", index);
      indices.push_back(static_cast<std::uint64_t>(index));
      section.table.rows.push_back({TextCell(series.name), {.shown = text, .raw = text}});
    }
    page.json.Append(series.name, std::move(indices));
  }
  const std::size_t judged = file.series.size() - too_short.size();
  section.if_empty = judged == 0 ? "Nothing was judged."
                                 : fmt::format(
                                       "Apache Otava's algorithm finds no change point in "
                                       "{} series.",
                                       judged);
  page.sections.push_back(std::move(section));
  page.warnings = Shortened(std::move(too_short));
  return page;
}

// An option that would have no effect is a mistake of the one who gave it.
Status CheckEffect(const CommandArguments& arguments, Format format) {
  const bool is_otava = arguments.Has("like-otava");
  for (const char* name : {"window", "max-p", "min-magnitude"}) {
    if (!arguments.Has(name) || is_otava) continue;
    return {Code::kInvalid, fmt::format("--{} has no effect without --like-otava.", name)};
  }
  for (const char* name : {"full", "season", "least-relative"}) {
    if (!arguments.Has(name) || !is_otava) continue;
    return {Code::kInvalid, fmt::format("--{} has no effect with --like-otava.", name)};
  }
  if (arguments.Has("full") && !IsJson(format)) {
    return {Code::kInvalid, "--full has no effect without -o json or -o jsonl."};
  }
  return {};
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  TACHO_TRY(CheckEffect(arguments, context.style.format));
  auto options = ParseOptions(arguments);
  if (!options.ok()) return std::move(options).status();
  auto otava = ParseOtavaOptions(arguments);
  if (!otava.ok()) return std::move(otava).status();
  auto file = ReadSeries(arguments.Text("file"));
  if (!file.ok()) return std::move(file).status();
  if (arguments.Has("like-otava")) return OtavaPage(*file, *otava);
  return PageOf(*file, JudgeAll(*file, *options), arguments.Has("full"),
                IsJson(context.style.format));
}

}  // namespace

extern constinit const Command kDetectCommand{
    .path = "detect",
    .summary = "find steps, drifts and blips in any series; needs no server",
    .details =
        "Oldest value first. In JSON null is a missing value, in CSV an empty cell; the first "
        "column of a CSV\nnames the row. -o json prints {\"name\": [first index of each new "
        "segment]}. A series of fewer than\nsix values is not judged: TOO_SHORT. Exits 0 whatever "
        "it finds: `check` is the gate.",
    .examples =
        "tacho detect nightly.csv                        # a line a finding\n"
        "tacho detect nightly.json -o json\n"
        "tacho detect latency.csv --season 7 --least-relative 3 -o json --full",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
