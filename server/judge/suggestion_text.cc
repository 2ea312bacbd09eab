#include "server/judge/suggestion_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace tacho {
namespace {

constexpr std::size_t kMostNamed = 200;

// A basic string of TOML. Robots and boards are not ours to name, so that anything may be in it.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

// The same without the quotes, for a comment: it must not end its line.
std::string Plain(std::string_view text) {
  std::string quoted = Quoted(text);
  return quoted.substr(1, quoted.size() - 2);
}

std::string Percent(double share) {
  return fmt::format("{:.4g} %", 100 * share);
}

std::string ValueText(double value, Unit unit) {
  if (unit == Unit::kRatio) return Percent(value);
  const std::string_view symbol = SymbolOf(unit);
  return symbol.empty() ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, symbol);
}

std::string Head(const Suggestion& suggestion, const SuggestionRules& rules,
                 const SuggestionSource& source) {
  return fmt::format(
      "# Budgets suggested from {} healthy runs of {} that were looked at: {}.\n"
      "# They say what was, not what is needed: read each limit before it judges anything.\n"
      "# A limit is the farthest value of these runs (of a quantile, the far end of its 95 % "
      "interval)\n"
      "# and a margin of {}, rounded outwards.\n"
      "# {}\n",
      suggestion.runs, source.looked_at, Plain(source.asked), Percent(rules.margin),
      suggestion.throttling_known == 0
          ? std::string("Throttling was not measured: a throttled run may be among them.")
          : fmt::format("Throttling was measured in {} of them; in the others nobody knows.",
                        suggestion.throttling_known));
}

std::string LeftOutText(const std::vector<LeftOut>& left_out) {
  if (left_out.empty()) return "";
  std::string text = "#\n# Left out:\n";
  const std::size_t named = std::min(left_out.size(), kMostNamed);
  for (std::size_t i = 0; i < named; ++i) {
    text += fmt::format("#   {}: {}\n", Plain(left_out[i].what), Plain(left_out[i].why));
  }
  if (left_out.size() > named) text += fmt::format("#   and {} more\n", left_out.size() - named);
  return text;
}

std::string BudgetText(const SuggestedBudget& suggested) {
  const Budget& budget = suggested.budget;
  const Unit unit = budget.limit.unit;
  std::string text = fmt::format(
      "\n# {} of n={} runs: {} to {}; least coverage {}, fewest readings {}.\n"
      "[[budget]]\nname = {}\nmetric = {}\ninstance = {}\nstatistic = {}\n{} = {}\n"
      "min_coverage = {:.6g}\n",
      NameOf(budget.statistic), suggested.runs, ValueText(suggested.lowest, unit),
      ValueText(suggested.highest, unit), Percent(suggested.least_coverage),
      suggested.fewest_readings, Quoted(budget.name), Quoted(budget.metric),
      Quoted(budget.instance), Quoted(NameOf(budget.statistic)), budget.is_upper ? "max" : "min",
      Quoted(suggested.limit_text), budget.min_coverage);
  const std::pair<const char*, const std::string*> selectors[] = {
      {"robot", &budget.robot}, {"model", &budget.model}, {"power_mode", &budget.power_mode}};
  for (const auto& [key, selector] : selectors) {
    if (!selector->empty()) text += fmt::format("{} = {}\n", key, Quoted(*selector));
  }
  return text;
}

}  // namespace

std::string TextOf(const Suggestion& suggestion, const SuggestionRules& rules,
                   const SuggestionSource& source) {
  std::string text = Head(suggestion, rules, source) + LeftOutText(suggestion.left_out);
  for (const SuggestedBudget& suggested : suggestion.budgets)
    text += BudgetText(suggested);
  return text;
}

}  // namespace tacho
