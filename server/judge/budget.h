// A budget: a limit on one statistic of one metric, and where it applies (docs/budgets.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/status.h"
#include "common/time.h"
#include "server/judge/limit.h"

namespace tacho {

enum class Statistic : std::uint8_t { kP50, kP95, kP99, kMax, kMin, kMean, kRate, kIntegral };
std::string_view NameOf(Statistic statistic);
// 0.5, 0.95 or 0.99; 0 for what is no quantile.
double QuantileOf(Statistic statistic);

struct Budget {
  std::string name;
  std::string metric;
  std::string instance = "*";  // a glob, as the selectors below
  Statistic statistic{};
  Limit limit;
  bool is_upper = true;  // max = ...: the statistic must be <= limit; min = ...: >= limit
  std::int64_t min_count = 1;
  double min_coverage = 0.9;
  Nanos held_for{0};  // for = ...: only what lasts this long breaks it
  std::string robot;  // empty: any
  std::string model;
  std::string power_mode;
  bool holds_when_throttled = false;
};

// Fails with kInvalid and one sentence a line, all mistakes at once: "budgets.toml:7: ...".
Result<std::vector<Budget>> ParseBudgets(std::string_view text, std::string_view file);

}  // namespace tacho
