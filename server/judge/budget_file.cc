// budgets.toml, read with all its mistakes.
#include <fmt/format.h>
#include <set>
#include <utility>

#include "common/toml.h"
#include "server/judge/budget.h"

namespace tacho {
namespace {

constexpr Statistic kStatistics[] = {Statistic::kP50,  Statistic::kP95,     Statistic::kP99,
                                     Statistic::kMax,  Statistic::kMin,     Statistic::kMean,
                                     Statistic::kRate, Statistic::kIntegral};
constexpr std::int64_t kMostReadings = std::int64_t{1} << 40;
constexpr Nanos kLongestHold = std::chrono::hours(24 * 30);

// One [[budget]] and where its complaints go.
struct Entry {
  TomlReader& reader;
  Budget& budget;
  void Complain(std::string_view key, const std::string& what) {
    reader.Complain(reader.LineOf(key), fmt::format("budget \"{}\": {}", budget.name, what));
  }
};

void ReadStatistic(Entry entry) {
  std::string text;
  entry.reader.Text("statistic", text);
  std::vector<std::string> known;
  for (const Statistic statistic : kStatistics) {
    if (NameOf(statistic) == text) {
      entry.budget.statistic = statistic;
      return;
    }
    known.emplace_back(NameOf(statistic));
  }
  if (text.empty()) {
    entry.Complain("statistic",
                   "statistic is missing: p50, p95, p99, max, min, mean, rate or integral");
    return;
  }
  const auto near = NearestWord(text, known);
  entry.Complain("statistic",
                 fmt::format("no statistic is called \"{}\"{}", text,
                             near ? fmt::format(" (did you mean \"{}\"?)", *near) : std::string()));
}

void ReadLimit(Entry entry) {
  const bool has_max = entry.reader.Has("max");
  const bool has_min = entry.reader.Has("min");
  std::string text;
  entry.reader.Text("max", text);
  entry.reader.Text("min", text);
  if (has_max == has_min) {
    entry.Complain("name", "needs a limit: either max or min, and not both");
    return;
  }
  const std::string_view key = has_max ? "max" : "min";
  const auto limit = ParseLimit(text);
  if (!limit) {
    entry.Complain(key, fmt::format("\"{}\" is no limit: a number and a unit, as \"65 C\", \"30 W\""
                                    " or \"250 ms\"",
                                    text));
    return;
  }
  entry.budget.limit = *limit;
  entry.budget.is_upper = has_max;
}

void ReadData(Entry entry) {
  Budget& budget = entry.budget;
  entry.reader.Int("min_count", budget.min_count, 1, kMostReadings);
  entry.reader.Number("min_coverage", budget.min_coverage);
  if (budget.min_coverage < 0 || budget.min_coverage > 1) {
    entry.Complain("min_coverage", "min_coverage is a share: 0 to 1");
  }
  entry.reader.Duration("for", budget.held_for, Nanos{0}, kLongestHold);
  const bool is_extreme =
      budget.statistic == Statistic::kMax || budget.statistic == Statistic::kMin;
  if (budget.held_for > Nanos{0} && !is_extreme) {
    entry.Complain("for", "\"for\" goes with the statistics max and min");
  }
  const bool is_rate = budget.statistic == Statistic::kRate;
  if (budget.limit.is_per_second != is_rate) {
    entry.Complain(budget.is_upper ? "max" : "min",
                   is_rate ? "a rate is limited per second, as \"5 /s\" or \"2 MB/s\""
                           : "only the statistic rate is limited per second");
  }
}

// A selector of nothing would make a budget that holds for nobody.
void ReadSelector(Entry entry, std::string_view key, std::string& to) {
  entry.reader.Text(key, to);
  if (entry.reader.Has(key) && to.empty()) {
    entry.Complain(key, fmt::format("{} must not be empty: leave it out for any", key));
  }
}

Budget ReadBudget(TomlReader& reader) {
  Budget budget;
  reader.Text("name", budget.name);
  reader.Text("metric", budget.metric);
  Entry entry{reader, budget};
  for (const auto& [key, selector] : {std::pair{"robot", &budget.robot},
                                      {"model", &budget.model},
                                      {"power_mode", &budget.power_mode}}) {
    ReadSelector(entry, key, *selector);
  }
  reader.Text("instance", budget.instance);  // may be empty: the one series without a name
  reader.Bool("holds_when_throttled", budget.holds_when_throttled);
  if (budget.name.empty()) entry.Complain("name", "name is missing");
  if (budget.metric.empty()) entry.Complain("metric", "metric is missing");
  ReadStatistic(entry);
  ReadLimit(entry);
  ReadData(entry);
  reader.Finish();
  return budget;
}

}  // namespace

std::string_view NameOf(Statistic statistic) {
  switch (statistic) {
    case Statistic::kP50:
      return "p50";
    case Statistic::kP95:
      return "p95";
    case Statistic::kP99:
      return "p99";
    case Statistic::kMax:
      return "max";
    case Statistic::kMin:
      return "min";
    case Statistic::kMean:
      return "mean";
    case Statistic::kRate:
      return "rate";
    case Statistic::kIntegral:
      return "integral";
  }
  return "";
}

double QuantileOf(Statistic statistic) {
  switch (statistic) {
    case Statistic::kP50:
      return 0.5;
    case Statistic::kP95:
      return 0.95;
    case Statistic::kP99:
      return 0.99;
    default:
      return 0;
  }
}

Result<std::vector<Budget>> ParseBudgets(std::string_view text, std::string_view file) {
  const auto root = ParseToml(text, file);
  if (!root.ok()) return *root.error();
  TomlComplaints complaints;
  TomlReader reader(*root, std::string(file), complaints);
  std::vector<Budget> budgets;
  std::set<std::string> names;
  for (TomlReader& table : reader.Tables("budget")) {
    budgets.push_back(ReadBudget(table));
    const std::string& name = budgets.back().name;
    if (!name.empty() && !names.insert(name).second) {
      table.Complain(table.LineOf("name"), fmt::format("a budget \"{}\" is there already", name));
    }
  }
  reader.Finish();
  TACHO_TRY(AsStatus(complaints));
  return budgets;
}

}  // namespace tacho
