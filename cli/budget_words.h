// Budgets in words: a budget that applies to several series is judged once for each, and is still
// one budget.
#pragma once

#include <string>
#include <vector>

#include "cli/verdict.h"
#include "common/json.h"

namespace tacho {

// One budget and the server's judgements of it, which must outlive it.
struct JudgedBudget {
  std::string name{};
  std::vector<const Json*> rows{};
  VerdictRank worst = VerdictRank::kPass;
  bool is_whole = true;  // every row could be judged
};

// In the order in which the server first names them.
std::vector<JudgedBudget> ByBudget(const Json::Array& judgements);

// "camera_p99 (p99 104.1 ms, limit <= 90 ms)" of the rows with its worst verdict; with the instance
// where there are several rows, and with the reason where the numbers do not say why.
std::string Describe(const JudgedBudget& budget);

// "p95", or "max for 10s" where only what lasts so long counts.
std::string StatisticText(const Json& judgement);

// The value and the limit side by side: "90.004 ms" and "<= 90 ms", not twice "90 ms".
struct ValueAndLimit {
  std::string value;
  std::string limit;
};
ValueAndLimit ValueAgainstLimit(const Json& judgement);

}  // namespace tacho
