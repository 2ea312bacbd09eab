// `tacho local tail`: follows what this robot's recorder measures.
#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/local_question.h"
#include "cli/status_changes.h"
#include "cli/text.h"
#include "cli/values.h"
#include "common/toml.h"

namespace tacho {
namespace {

constexpr std::array<OptionDef, 5> kOptions = {
    {{.name = "series",
      .placeholder = "GLOB",
      .help = "only series of this name: 'thermal*', 'power_rail/VDD_*'"},
     {.name = "every", .placeholder = "TIME", .help = "look so often (1s)"},
     {.name = "count", .placeholder = "N", .help = "end after so many looks"},
     {.name = "all", .help = "a line for every series at each look, changed or not"},
     {.name = "wait", .help = "wait where the recorder is away, instead of ending"}}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "time"},
      {.name = "what", .where = Where::kDataOnly},
      {.name = "metric"},
      {.name = "instance"},
      {.name = "value", .is_right = true},
      {.name = "why", .is_elastic = true},
      {.name = "unit", .where = Where::kDataOnly},
  };
  return kColumns;
}

// Lines that come one after another stand under each other by being as wide as the widest.
struct Widths {
  int metric = 6;  // the titles' own, at the least
  int instance = 8;
};

Widths WidthsOf(const Json& status, const std::string& pattern) {
  Widths widths;
  for (const Json& series : status["series"].items()) {
    if (!IsChosen(series, pattern)) continue;
    widths.metric = std::max(widths.metric, ColumnsOf(Printable(series["metric"].AsText())));
    widths.instance = std::max(widths.instance, ColumnsOf(Printable(series["instance"].AsText())));
  }
  return widths;
}

TableCell Padded(TableCell cell, int width) {
  const int columns = ColumnsOf(Printable(cell.shown));
  cell.shown.append(static_cast<std::size_t>(std::max(0, width - columns)), ' ');
  return cell;
}

TableCell PaddedLeft(TableCell cell) {
  constexpr std::size_t kWidestValue = 10;
  if (cell.shown.size() < kWidestValue) cell.shown.insert(0, kWidestValue - cell.shown.size(), ' ');
  return cell;
}

std::vector<TableCell> Row(const Json& line, const Widths& widths) {
  const bool is_event = line["what"].AsText() == "event";
  TableCell name = WordCell(line[is_event ? "kind" : "metric"]);
  TableCell why = WordCell(line[is_event ? "detail" : "why"]);
  if (is_event) name.tone = Tone::kWarn;
  if (!is_event && !why.is_absent) why.tone = Tone::kMissing;
  return {TimeCell(line["wall_ns"], line["clock_trust"].AsText()),
          WordCell(line["what"]),
          Padded(std::move(name), widths.metric),
          Padded(WordCell(line["instance"]), widths.instance),
          PaddedLeft(QuantityCell(line["value"], line["unit"].AsText())),
          std::move(why),
          WordCell(line["unit"])};
}

std::string Coverage(const Json& status, const std::string& pattern) {
  std::size_t chosen = 0;
  std::size_t with_value = 0;
  for (const Json& series : status["series"].items()) {
    if (!IsChosen(series, pattern)) continue;
    ++chosen;
    if (series["value"].is_number()) ++with_value;
  }
  return fmt::format("{} of {} series have a value", with_value, chosen);
}

// Looks again and again, and shows what changed since the last look.
class Tail {
 public:
  Tail(CommandContext& context, const CommandArguments& arguments)
      : context_(context),
        pattern_(arguments.Text("series")),
        shows_all_(arguments.Has("all")),
        waits_(arguments.Has("wait")) {}

  // Whether there was an answer.
  Result<bool> Look() {
    auto status = AskLocal(context_, Json::Object{{"do", "status"}});
    if (const Status* why = status.error()) {
      if (!waits_ || why->code() != Code::kUnavailable) return *why;
      if (++missed_ == 1) context_.say(why->message() + " Waiting for it.");
      return false;
    }
    TACHO_TRY(Show(*status));
    last_ = *std::move(status);
    return true;
  }

  AnswerPage End() const {
    AnswerPage page;
    page.coverage = Coverage(last_, pattern_);
    return page;
  }

 private:
  Status Show(const Json& status) {
    if (last_.is_null()) {
      widths_ = WidthsOf(status, pattern_);
      TACHO_TRY(CheckChosen(status));
    }
    std::vector<Json> lines = EventsBetween(last_, status);
    if (const std::size_t missed = std::exchange(missed_, 0); missed > 0) {
      lines.insert(lines.begin(), LiveEvent(status, "recorder",
                                            fmt::format("answers again after {} without an answer",
                                                        CountOf(missed, "look"))));
    }
    for (Json& line : ValuesBetween(shows_all_ ? Json() : last_, status, pattern_)) {
      lines.push_back(std::move(line));
    }
    if (lines.empty()) return {};
    AnswerPage page;
    Section& section = page.sections.emplace_back();
    section.table.columns = Columns();
    for (const Json& line : lines)
      section.table.rows.push_back(Row(line, widths_));
    page.json = Json::Array(std::move(lines));
    return context_.show(page);
  }

  Status CheckChosen(const Json& status) const {
    for (const Json& series : status["series"].items()) {
      if (IsChosen(series, pattern_)) return {};
    }
    if (pattern_.empty()) return {};
    return {Code::kNotFound,
            fmt::format("No series matches --series {}. `tacho local status` lists what there is.",
                        ShellWord(pattern_))};
  }

  CommandContext& context_;
  const std::string pattern_;
  const bool shows_all_;
  const bool waits_;
  Json last_{};  // the last answer; null before the first
  Widths widths_{};
  std::size_t missed_ = 0;  // looks since then
};

Result<Nanos> ParseEvery(const CommandArguments& arguments) {
  const std::string text = arguments.Text("every", "1s");
  const auto every = ParseDuration(text);
  if (every && *every >= std::chrono::milliseconds(100) && *every <= std::chrono::hours(1)) {
    return *every;
  }
  return Status(
      Code::kInvalid,
      fmt::format("--every takes a time from 100ms to 1h, like 500ms or 10s, not '{}'.", text));
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  constexpr std::int64_t kMostLooks = 1'000'000'000;
  const auto every = ParseEvery(arguments);
  if (!every.ok()) return *every.error();
  const auto count = arguments.Int("count", kMostLooks, {1, kMostLooks});
  if (!count.ok()) return *count.error();
  Tail tail(context, arguments);
  for (std::int64_t answers = 0;;) {
    const auto has_answer = tail.Look();
    if (!has_answer.ok()) return *has_answer.error();
    if (*has_answer && ++answers == *count) return tail.End();
    context.pause(*every);
  }
}

}  // namespace

extern constinit const Command kLocalTailCommand{
    .path = "local tail",
    .summary = "follow what the recorder on this robot measures",
    .details =
        "Prints every series once, then a line for each value that changed, and for what happened: "
        "a run opened, a source\nfell silent, the clock was set, something was lost. A value that "
        "is absent or stale is -, with the reason. Ends with\n5 when the recorder goes away. "
        "-o json prints a JSON value a line.",
    .examples =
        "tacho local tail --series 'thermal*'\n"
        "tacho local tail --every 5s --count 12 -o csv\n"
        "tacho local tail --wait -o json | jq -r 'select(.what == \"event\") | .detail'",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
