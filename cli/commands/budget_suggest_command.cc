// `tacho budget suggest`: a budgets.toml learnt from runs that went well.
#include <array>
#include <charconv>
#include <cstddef>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/fleet_question.h"
#include "cli/run_name.h"
#include "cli/values.h"
#include "cli/when.h"

namespace tacho {
namespace {

constexpr std::array<OptionDef, 6> kOptions = {{
    {.name = "from",
     .placeholder = "RUN",
     .help = "learn from this run; may be repeated, or several with commas",
     .is_repeatable = true},
    {.name = "robot", .placeholder = "GLOB", .help = "learn from the runs of these robots: 'rb1*'"},
    kSinceOption,
    kUntilOption,
    {.name = "margin", .placeholder = "SHARE", .help = "room above what was measured (10%)"},
    {.name = "metric", .letter = 'm', .placeholder = "GLOB", .help = "only metrics of this name"},
}};

// "a,b" is two.
std::vector<std::string> Apart(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return words;
}

// "10%" is 0.1.
Result<double> ParseMargin(const std::string& text) {
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error == std::errc() && (rest == "%" || rest == " %") && percent >= 0 && percent <= 1000) {
    return percent / 100;
  }
  return Status(Code::kInvalid,
                fmt::format("--margin takes a share from 0% to 1000%, like 10%, not '{}'.", text));
}

Result<Json> QuestionOf(const CommandArguments& arguments, WallTime now) {
  const bool has_window = arguments.Has("since") || arguments.Has("until");
  if (arguments.Has("from") == arguments.Has("robot")) {
    return Status(Code::kInvalid,
                  "Say which runs to learn from: --from RUN, or --robot GLOB with --since.");
  }
  if (arguments.Has("from") && has_window) {
    return Status(Code::kInvalid, "--since and --until have no effect beside --from.");
  }
  Json question{Json::Object{}};
  if (arguments.Has("robot")) question.Set("robot", arguments.Text("robot"));
  for (const std::string& name : Apart(arguments.Texts("from"))) {
    auto run = ParseRunName(name);
    if (!run.ok()) return std::move(run).status();
    Json runs = question["runs"];
    runs.Push(*run);
    question.Set("runs", std::move(runs));
  }
  const auto window = ParseWindow(arguments, now);
  if (!window.ok()) return *window.error();
  window->AddTo(question);
  if (arguments.Has("metric")) question.Set("metric", arguments.Text("metric"));
  if (arguments.Has("margin")) {
    const auto margin = ParseMargin(arguments.Text("margin"));
    if (!margin.ok()) return *margin.error();
    question.Set("margin", *margin);
  }
  return question;
}

// Nothing was suggested: of too few runs no limit is made.
void Refuse(const Json& answer, AnswerPage& page) {
  page.headline = fmt::format(
      "No budget is suggested: n={} of {} healthy runs needed, of {} that were looked at.",
      answer["runs_healthy"].AsInt(), answer["runs_needed"].AsInt(),
      answer["runs_looked_at"].AsInt());
  page.headline_tone = Tone::kMissing;
  Section& section = page.sections.emplace_back();
  section.tag = "left_out";
  section.table.columns = {{.name = "left_out", .is_elastic = true},
                           {.name = "why", .is_elastic = true}};
  for (const Json& one : answer["left_out"].items()) {
    section.table.rows.push_back({WordCell(one["what"]), WordCell(one["why"])});
  }
  page.exit_code = answer["runs_looked_at"].AsInt() == 0 ? kExitNotFound : kExitError;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  const auto question = QuestionOf(arguments, context.now);
  if (!question.ok()) return *question.error();
  auto answer = AskFleet(context, "budget_suggest", *question);
  if (!answer.ok()) return std::move(answer).status();
  AnswerPage page;
  page.json = *answer;
  page.document = (*answer)["text"].AsText();
  if (page.document.empty()) Refuse(*answer, page);
  page.coverage = fmt::format(
      "{} from {} healthy runs of {} looked at; {} left out",
      CountOf((*answer)["budgets"].items().size(), "budget"), (*answer)["runs_healthy"].AsInt(),
      (*answer)["runs_looked_at"].AsInt(), CountOf((*answer)["left_out"].items().size(), "thing"));
  if ((*answer)["more"].AsBool()) page.coverage += "; older runs were not looked at";
  return page;
}

}  // namespace

extern constinit const Command kBudgetSuggestCommand{
    .path = "budget suggest",
    .summary = "write a budgets.toml from runs that went well",
    .details =
        "Looks at runs that closed, did not FAIL, were not throttled and were measured to 90 %; "
        "names the others and why\nthey were left out. A limit is the farthest value of at least 5 "
        "such runs of one model and power mode, and a\nmargin. What comes of it says what was, not "
        "what is needed. Prints the file in every form but JSON; exits 1 where\nthere are too few "
        "runs, 3 where there is none.",
    .examples =
        "tacho budget suggest --robot 'rb1*' --since 30d > budgets.toml\n"
        "tacho budget suggest --from rb12/118/4,rb12/118/6,rb12/119/2,rb12/119/3,rb12/120/1 "
        "--margin 5%\n"
        "tacho budget try budgets.toml --since 7d",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
