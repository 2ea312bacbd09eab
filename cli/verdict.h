// What a verdict means to the command line: its order, its colour and the exit code of `check`.
#pragma once

#include <string>
#include <string_view>

#include "cli/page.h"
#include "common/json.h"

namespace tacho {

// From best to worst. What this version has no word for counts as not judged, never as good.
enum class VerdictRank { kPass, kMarginal, kNotJudged, kFail };

VerdictRank ParseVerdict(std::string_view word);
// Of the server's word for the run and of every budget below it; kNotJudged where there is none.
// Never better than any of them, even if the server should say so.
VerdictRank WorstOf(std::string_view run_verdict, const Json::Array& budgets);
Tone ToneOf(VerdictRank verdict);
int CheckExitCode(VerdictRank verdict, bool is_margin_strict);

// A cell for a verdict's word; absent where there is none.
TableCell VerdictCell(const Json& word);

// The table of budgets with their verdicts, values, limits and coverage; and, in text, a line for
// each budget that was not kept, with the reason.
Section BudgetSection(const Json::Array& budgets);

}  // namespace tacho
