// `tacho run show RUN`: one run: its setup, what was measured, what happened, and its budgets.
#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/fleet_question.h"
#include "cli/run_name.h"
#include "cli/series_order.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/verdict.h"

namespace tacho {
namespace {

constexpr std::size_t kMostShown = 40;  // rows of a table among others, in text

constexpr std::array<ArgumentDef, 1> kArguments = {{kRunArgument}};
constexpr std::array<OptionDef, 1> kOptions = {
    {{.name = "section",
      .placeholder = "NAME",
      .help = "only this one: run, setup, series, events, gaps or budgets",
      .choices = "run setup series events gaps budgets"}}};

Section NamesAndValues(std::string tag) {
  Section section{.tag = std::move(tag)};
  section.table.columns = {{.name = "name"}, {.name = "value", .is_elastic = true}};
  section.table.has_header = false;
  return section;
}

Section RunSection(const Json& answer) {
  const Json& run = answer["run"];
  const std::string trust = run["clock_trust"].AsText();
  Section section = NamesAndValues("run");
  const auto add = [&section](std::string_view name, TableCell value) {
    section.table.rows.push_back({TextCell(name, Tone::kDim), std::move(value)});
  };
  add("run", WordCell(run["run"]));
  add("robot", WordCell(run["robot"]));
  add("name", WordCell(run["name"]));
  add("state", WordCell(run["state"]));
  add("reason", WordCell(run["reason"]));
  add("opened", TimeCell(run["opened_wall_ns"], trust));
  add("closed", TimeCell(run["closed_wall_ns"], trust));
  add("clock", WordCell(run["clock_trust"]));
  add("duration", DurationCell(run["duration_s"]));
  add("coverage", ShareCell(run["coverage"]));
  add("verdict", VerdictCell(run["verdict"]));
  add("labels", LabelsCell(run["labels"]));
  return section;
}

Section SetupSection(const Json& answer) {
  Section section = NamesAndValues("setup");
  section.if_empty = "The robot told nothing of its setup.";
  for (const auto& [key, value] : answer["setup"].members()) {
    section.table.rows.push_back(
        {TextCell(key, Tone::kDim), TextCell(value.is_text() ? value.AsText() : value.Dump())});
  }
  return section;
}

std::vector<TableCell> SeriesRow(const Json& series) {
  const std::string unit = series["unit"].AsText();
  std::vector<TableCell> row = {WordCell(series["metric"]), WordCell(series["instance"])};
  for (const char* statistic : {"min", "mean", "p50", "p95", "p99", "max", "last"}) {
    row.push_back(QuantityCell(series[statistic], unit));
  }
  TableCell count = CountCell(series["count"]);
  if (series["expected"].is_number()) {
    count.shown += fmt::format(" of {}", series["expected"].AsInt());
  }
  row.push_back(std::move(count));
  row.push_back(ShareCell(series["coverage"]));
  row.push_back(LabelsCell(series["absent"]));
  row.push_back(WordCell(series["unit"]));
  row.push_back(CountCell(series["expected"]));
  return row;
}

Section SeriesSection(const Json& answer) {
  Section section{.tag = "series", .if_empty = "Nothing was measured in this run."};
  section.table.columns = {
      {.name = "metric", .is_elastic = true},
      {.name = "instance", .is_elastic = true},
      {.name = "min", .rank = 3, .is_right = true},
      {.name = "mean", .rank = 5, .is_right = true},
      {.name = "p50", .rank = 2, .is_right = true},
      {.name = "p95", .rank = 6, .is_right = true},
      {.name = "p99", .rank = 1, .is_right = true},
      {.name = "max", .rank = 3, .is_right = true},
      {.name = "last", .rank = 7, .is_right = true},
      {.name = "n", .rank = 4, .is_right = true},
      {.name = "coverage", .is_right = true},
      {.name = "absent", .rank = 8, .is_elastic = true},
      {.name = "unit", .where = Where::kDataOnly},
      {.name = "expected", .where = Where::kDataOnly},
  };
  for (const Json* series : InOrderOfNeed(answer["series"].items())) {
    section.table.rows.push_back(SeriesRow(*series));
  }
  return section;
}

Section EventsSection(const Json& answer) {
  const std::string trust = answer["run"]["clock_trust"].AsText();
  Section section{.tag = "event", .if_empty = "No event."};
  section.table.columns = {{.name = "time"},
                           {.name = "severity", .rank = 1},
                           {.name = "kind"},
                           {.name = "detail", .is_elastic = true},
                           {.name = "boot_ns", .where = Where::kDataOnly}};
  for (const Json& event : answer["events"].items()) {
    section.table.rows.push_back({TimeCell(event["at_wall_ns"], trust),
                                  SeverityCell(event["severity"]), WordCell(event["kind"]),
                                  WordCell(event["detail"]), CountCell(event["boot_ns"])});
  }
  return section;
}

Section GapsSection(const Json& answer) {
  Section section{.tag = "gap", .if_empty = "No record was lost."};
  section.table.columns = {{.name = "tier"},
                           {.name = "first", .is_right = true},
                           {.name = "count", .is_right = true},
                           {.name = "reason"}};
  for (const Json& gap : answer["gaps"].items()) {
    const Json& tier = gap["tier"];
    section.table.rows.push_back({tier.is_text() ? WordCell(tier) : CountCell(tier),
                                  CountCell(gap["first"]), CountCell(gap["count"]),
                                  TextCell(gap["reason"].AsText(), Tone::kMissing)});
  }
  return section;
}

struct NamedSection {
  std::string_view name;
  std::string_view member;  // of the answer; empty: the whole of it
  Section (*make)(const Json& answer);
};

constexpr std::array<NamedSection, 6> kSections = {{
    {"run", "run", &RunSection},
    {"setup", "setup", &SetupSection},
    {"series", "series", &SeriesSection},
    {"events", "events", &EventsSection},
    {"gaps", "gaps", &GapsSection},
    {"budgets", "budgets",
     [](const Json& answer) { return BudgetSection(answer["budgets"].items()); }},
}};

Result<AnswerPage> OneSection(const Json& answer, const std::string& name) {
  const auto* chosen = std::find_if(kSections.begin(), kSections.end(),
                                    [&name](const NamedSection& s) { return s.name == name; });
  if (chosen == kSections.end()) {
    return Status(Code::kInvalid,
                  fmt::format("'{}' is no section of a run: choose run, setup, series, events, "
                              "gaps or budgets.",
                              name));
  }
  AnswerPage page;
  page.json = answer[chosen->member];
  page.sections.push_back(chosen->make(answer));
  return page;
}

std::string Coverage(const Json& answer) {
  const TableCell share = ShareCell(answer["run"]["coverage"]);
  std::int64_t lost = 0;
  for (const Json& gap : answer["gaps"].items()) {
    lost += std::max<std::int64_t>(0, gap["count"].AsInt() % 1'000'000'000'000);
  }
  std::string text = fmt::format("{} of the run was measured, in {} series; {} records lost",
                                 share.is_absent ? "an unknown share" : share.shown,
                                 answer["series"].items().size(), lost);
  const std::string trust = answer["run"]["clock_trust"].AsText();
  if (IsEstimate(trust)) {
    text +=
        fmt::format("; ~ times are the robot's own clock ({})", trust.empty() ? "unknown" : trust);
  }
  return text;
}

AnswerPage WholePage(const Json& answer, const std::string& asked) {
  const std::string run = answer["run"]["run"].AsText(asked);
  AnswerPage page;
  page.json = answer;
  for (const NamedSection& named : kSections) {
    Section& section = page.sections.emplace_back(named.make(answer));
    section.title = named.name == "run" ? "" : std::string(named.name);
    section.most_shown = kMostShown;
  }
  page.coverage = Coverage(answer);
  page.next = {"tacho check " + ShellWord(run), "tacho series " + ShellWord(run) + " -m '*'"};
  return page;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto run = ParseRunName(arguments.Text("run"));
  if (!run.ok()) return std::move(run).status();
  auto answer = AskFleet(context, "run", Json::Object{{"run", *run}});
  if (!answer.ok()) return std::move(answer).status();
  if (arguments.Has("section")) return OneSection(*answer, arguments.Text("section"));
  return WholePage(*answer, *run);
}

}  // namespace

extern constinit const Command kRunShowCommand{
    .path = "run show",
    .summary = "show one run: setup, series, events, gaps and budgets",
    .details =
        "In a pipe each row's first field names its table (run, setup, series, event, gap, "
        "budget);\nwith --section there is one table and no such field.",
    .examples =
        "tacho run show rb12@latest             # the newest run of rb12\n"
        "tacho run show rb12/118/4 --section events\n"
        "tacho run show rb12/118/4 --section series -o csv > series.csv",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
