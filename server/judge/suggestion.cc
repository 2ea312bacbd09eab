#include "server/judge/suggestion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "server/judge/estimate.h"

namespace tacho {
namespace {

constexpr std::size_t kMostBudgets = 1000;

struct Rule {
  Statistic statistic{};
  bool is_upper = true;
};

bool Speaks(std::string_view name, std::string_view of) {
  return name.find(of) != std::string_view::npos;
}

// The statistic that suits a series; or why there is none.
Result<Rule> RuleFor(const SeriesKey& key) {
  if (key.shape == Shape::kCounter) {
    return Status(Code::kUnsupported, "it counts; which rate is too much, no past run can say");
  }
  if (key.metric.ends_with("_total")) return Status(Code::kUnsupported, "it is a size");
  switch (key.unit) {
    case Unit::kCelsius:
      return Rule{Statistic::kMax, true};
    case Unit::kWatts:
    case Unit::kAmperes:
    case Unit::kRatio:
      return Rule{Statistic::kP95, true};
    case Unit::kSeconds:
      return Rule{Statistic::kP99, true};
    case Unit::kBytes:
      if (Speaks(key.metric, "available") || Speaks(key.metric, "free")) {
        return Rule{Statistic::kMin, false};
      }
      return Rule{Statistic::kMax, true};
    default:
      return Status(Code::kUnsupported, "whether more of it is worse is not known");
  }
}

std::string NameOf(const SeriesKey& key) {
  return key.instance.empty() ? key.metric : key.metric + ' ' + key.instance;
}

// ---- the text of a limit

struct Scale {
  std::string_view unit;
  double factor;  // of the base unit
};

Scale ScaleOf(Unit unit, double value) {
  const double size = std::abs(value);
  switch (unit) {
    case Unit::kRatio:
      return {"%", 1e-2};
    case Unit::kBytes:
      return size >= 1048576 ? Scale{"MiB", 1048576} : Scale{"B", 1};
    case Unit::kSeconds:
      return size >= 1 ? Scale{"s", 1} : size >= 1e-3 ? Scale{"ms", 1e-3} : Scale{"us", 1e-6};
    default:
      return {SymbolOf(unit), 1};
  }
}

// "27.3 W": three digits, rounded away from what was measured, so that it reads back as no tighter.
std::string LimitText(double limit, Unit unit, bool is_upper) {
  const Scale scale = ScaleOf(unit, limit);
  const double scaled = limit / scale.factor;
  if (scaled == 0) return fmt::format("0 {}", scale.unit);
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(scaled)))) - 2;
  const double step = std::pow(10.0, exponent);
  double steps = is_upper ? std::ceil(scaled / step) : std::floor(scaled / step);
  for (;;) {
    std::string text = fmt::format("{:.{}f} {}", steps * step, std::max(0, -exponent), scale.unit);
    const auto read = ParseLimit(text);
    const bool holds = read && (is_upper ? read->value >= limit : read->value <= limit);
    if (holds) return text;
    steps += is_upper ? 1 : -1;
  }
}

// ---- runs of one kind

// A glob that matches this text alone.
std::string Literally(const std::string& text) {
  std::string glob;
  for (const char c : text) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') glob += '\\';
    glob += c;
  }
  return glob;
}

struct Kind {
  bool is_model = false;  // else it is a robot that did not say its model
  std::string name;
  auto operator<=>(const Kind&) const = default;
};

using Runs = std::vector<const LearntRun*>;

// Keeps the runs in the power mode that most of them had.
std::optional<std::string> KeepOneMode(Runs& runs, std::vector<LeftOut>& left_out) {
  std::map<std::optional<std::string>, std::size_t> modes;
  for (const LearntRun* run : runs)
    ++modes[run->power_mode];
  const auto most = std::max_element(
      modes.begin(), modes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto& mode = most->first;
  const auto differs = [&mode](const LearntRun* run) { return run->power_mode != mode; };
  for (const LearntRun* run : runs) {
    if (!differs(run)) continue;
    left_out.push_back({run->name, fmt::format("its power mode is {}, that of most is {}",
                                               run->power_mode.value_or("not known"),
                                               mode.value_or("not known"))});
  }
  runs.erase(std::remove_if(runs.begin(), runs.end(), differs), runs.end());
  return mode;
}

// The values of one series in all runs of a kind.
struct Sheet {
  SeriesKey key;
  Statistic statistic{};
  bool is_upper = true;
  double farthest = 0;
  SuggestedBudget suggested;
};

void Add(Sheet& sheet, const LearntValue& value, const SuggestionRules& rules) {
  const bool is_first = sheet.key.metric.empty();
  // Another unit under the same name is another release's: its runs would be INVALID, not judged.
  if (!is_first && value.key.unit != sheet.key.unit) return;
  if (is_first) {
    sheet.key = value.key;
    sheet.statistic = value.statistic;
    sheet.is_upper = value.is_upper;
    sheet.farthest = value.far;
    sheet.suggested.lowest = sheet.suggested.highest = value.value;
  }
  // A run with gaps proves nothing, but what it did measure was there.
  sheet.farthest =
      sheet.is_upper ? std::max(sheet.farthest, value.far) : std::min(sheet.farthest, value.far);
  SuggestedBudget& suggested = sheet.suggested;
  suggested.lowest = std::min(suggested.lowest, value.value);
  suggested.highest = std::max(suggested.highest, value.value);
  if (value.coverage < rules.min_coverage) return;
  const bool is_fewest = suggested.runs == 0 || value.count < suggested.fewest_readings;
  if (is_fewest) suggested.fewest_readings = value.count;
  ++suggested.runs;
  suggested.least_coverage = std::min(suggested.least_coverage, value.coverage);
}

// Why no limit comes of it; empty where one does.
std::string WhyNone(const Sheet& sheet, double limit, const SuggestionRules& rules) {
  if (sheet.suggested.runs < rules.min_runs) {
    return fmt::format("n={} of {} needed measured it well enough", sheet.suggested.runs,
                       rules.min_runs);
  }
  if (sheet.farthest == 0) return "it was 0 in all runs, and a margin of 0 is none";
  if (sheet.key.unit == Unit::kRatio && sheet.is_upper && limit > 1) {
    return "its limit would be above 100 %, which nothing breaks";
  }
  return "";
}

void Suggest(const Kind& kind, const std::optional<std::string>& mode, bool is_only_kind,
             Sheet sheet, const SuggestionRules& rules, Suggestion& suggestion) {
  const double margin = rules.margin * std::abs(sheet.farthest);
  const double limit = sheet.farthest + (sheet.is_upper ? margin : -margin);
  std::string name = NameOf(sheet.key);
  if (!is_only_kind) name += " of " + kind.name;
  std::string why = WhyNone(sheet, limit, rules);
  if (suggestion.budgets.size() >= kMostBudgets) {
    why = fmt::format("there are {} budgets already", kMostBudgets);
  }
  if (!why.empty()) {
    suggestion.left_out.push_back({std::move(name), std::move(why)});
    return;
  }
  SuggestedBudget& suggested = sheet.suggested;
  suggested.limit_text = LimitText(limit, sheet.key.unit, sheet.is_upper);
  Budget& budget = suggested.budget;
  budget.name = fmt::format("{} {}", name, NameOf(sheet.statistic));
  budget.metric = sheet.key.metric;
  budget.instance = Literally(sheet.key.instance);
  budget.statistic = sheet.statistic;
  budget.limit = ParseLimit(suggested.limit_text).value_or(Limit{limit, sheet.key.unit});
  budget.is_upper = sheet.is_upper;
  budget.min_coverage = rules.min_coverage;
  (kind.is_model ? budget.model : budget.robot) = Literally(kind.name);
  if (mode) budget.power_mode = Literally(*mode);
  suggestion.budgets.push_back(std::move(suggested));
}

}  // namespace

LearntRun LearnFrom(std::string name, const RunFacts& facts, std::span<const JudgedSeries> series,
                    std::set<LeftOut>& left_out) {
  LearntRun run{.name = std::move(name),
                .robot = facts.robot,
                .model = facts.model,
                .power_mode = std::nullopt,
                .is_throttling_known = false,
                .values = {}};
  const bool is_one_mode = facts.power_modes.size() == 1 && !facts.has_unsaid_power_mode;
  if (is_one_mode) run.power_mode = facts.power_modes.front();
  for (const JudgedSeries& one : series) {
    if (one.rollup.present == 0) continue;
    const auto rule = RuleFor(one.key);
    if (const Status* why = rule.error()) {
      left_out.insert({one.key.metric, why->message()});
      continue;
    }
    Budget asked;
    asked.statistic = rule->statistic;
    const auto estimate = EstimateOf(asked, facts, one, ReadingsOf());
    if (const Status* why = estimate.error()) {
      left_out.insert({NameOf(one.key), why->message()});
      continue;
    }
    const auto& far = rule->is_upper ? estimate->high : estimate->low;
    run.values.push_back({one.key, rule->statistic, rule->is_upper, estimate->value,
                          far.value_or(estimate->value), one.coverage(), one.rollup.present});
  }
  return run;
}

Suggestion SuggestBudgets(std::span<const LearntRun> runs, const SuggestionRules& rules) {
  Suggestion suggestion;
  std::map<Kind, Runs> kinds;
  for (const LearntRun& run : runs) {
    const Kind kind{run.model.has_value(), run.model.value_or(run.robot)};
    kinds[kind].push_back(&run);
  }
  for (auto& [kind, of_kind] : kinds) {
    const auto mode = KeepOneMode(of_kind, suggestion.left_out);
    if (of_kind.size() < rules.min_runs) {
      suggestion.left_out.push_back(
          {kind.name, fmt::format("n={} of {} needed", of_kind.size(), rules.min_runs)});
      continue;
    }
    suggestion.runs += of_kind.size();
    for (const LearntRun* run : of_kind)
      suggestion.throttling_known += run->is_throttling_known ? 1U : 0U;
    std::map<std::pair<std::string, std::string>, Sheet> sheets;
    for (const LearntRun* run : of_kind) {
      for (const LearntValue& value : run->values) {
        Add(sheets[{value.key.metric, value.key.instance}], value, rules);
      }
    }
    for (auto& [key, sheet] : sheets) {
      Suggest(kind, mode, kinds.size() == 1, std::move(sheet), rules, suggestion);
    }
  }
  return suggestion;
}

}  // namespace tacho
