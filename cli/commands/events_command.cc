// `tacho events`: what happened to the robots of the fleet, newest first.
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/fleet_question.h"
#include "cli/text.h"
#include "cli/values.h"
#include "cli/when.h"

namespace tacho {
namespace {

constexpr std::int64_t kDefaultLimit = 100;
constexpr std::array<const char*, 3> kFilters = {"robot", "kind", "severity"};

constexpr std::array<OptionDef, 6> kOptions = {{
    {.name = "robot", .placeholder = "GLOB", .help = "only events of these robots: 'rb1*'"},
    {.name = "kind", .placeholder = "GLOB", .help = "only of this kind: 'sensor_*'"},
    {.name = "severity", .placeholder = "WORD", .help = "this or worse: warning, error (info)"},
    kSinceOption,
    kUntilOption,
    {.name = "limit", .placeholder = "N", .help = "at most so many, the newest (100)"},
}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "time"},
      {.name = "robot"},
      {.name = "run", .rank = 2},
      {.name = "severity", .rank = 1},
      {.name = "kind"},
      {.name = "detail", .is_elastic = true},
      {.name = "clock", .where = Where::kDataOnly},
      {.name = "by", .where = Where::kDataOnly},
      {.name = "boot_ns", .where = Where::kDataOnly},
  };
  return kColumns;
}

std::vector<TableCell> Row(const Json& event) {
  return {TimeCell(event["at_wall_ns"], event["clock_trust"].AsText()),
          WordCell(event["robot"]),
          WordCell(event["run"]),
          SeverityCell(event["severity"]),
          WordCell(event["kind"]),
          WordCell(event["detail"]),
          WordCell(event["clock_trust"]),
          WordCell(event["by"]),
          CountCell(event["boot_ns"])};
}

// Whose events may be missing here, by why.
std::string MissingText(const Json::Array& robots) {
  std::vector<std::string> silent;
  std::vector<std::string> lossy;
  std::vector<std::string> unsure;
  for (const Json& robot : robots) {
    const std::string state = robot["state"].AsText();
    const std::string name = robot["robot"].AsText();
    if (state != "live" && state != "retired") {
      silent.push_back(state == "silent" ? name : fmt::format("{} ({})", name, state));
    }
    if (robot["lost_records"].AsInt() > 0) lossy.push_back(name);
    const bool has_called = !robot["last_contact_wall_ns"].is_null();
    if (has_called && IsEstimate(robot["clock_trust"].AsText())) unsure.push_back(name);
  }
  std::string text;
  if (!silent.empty())
    text += "; not heard of, may hold events that have not arrived: " + ListOf(silent);
  if (!lossy.empty()) text += "; records that may have been events were lost of: " + ListOf(lossy);
  if (!unsure.empty()) text += "; nobody vouches for the clock of: " + ListOf(unsure);
  return text;
}

std::string Coverage(const Json& answer, const Window& window) {
  const Json::Array& events = answer["events"].items();
  std::size_t estimated = 0;
  std::size_t undated = 0;
  for (const Json& event : events) {
    if (event["at_wall_ns"].is_null()) {
      ++undated;
    } else if (IsEstimate(event["clock_trust"].AsText())) {
      ++estimated;
    }
  }
  std::vector<std::string> asked;
  for (const Json& robot : answer["robots"].items()) {
    asked.push_back(robot["robot"].AsText());
  }
  std::string text = fmt::format("{} {}; asked: {}", CountOf(events.size(), "event"),
                                 window.Describe(), asked.empty() ? "nobody" : ListOf(asked));
  text += MissingText(answer["robots"].items());
  if (estimated > 0)
    text += fmt::format("; ~ marks the robot's own clock, of {}", CountOf(estimated, "event"));
  if (undated > 0) text += fmt::format("; of {} nobody knows the time", CountOf(undated, "event"));
  return text;
}

Result<Json> QuestionOf(const CommandArguments& arguments, const Window& window) {
  Json question{Json::Object{}};
  for (const char* name : kFilters) {
    if (arguments.Has(name)) question.Set(name, arguments.Text(name));
  }
  const std::string severity = arguments.Text("severity", "info");
  if (severity != "info" && severity != "warning" && severity != "error") {
    return Status(Code::kInvalid,
                  fmt::format("--severity takes info, warning or error, not '{}'.", severity));
  }
  window.AddTo(question);
  auto limit = arguments.Int("limit", kDefaultLimit, {1, 10'000});
  if (!limit.ok()) return std::move(limit).status();
  question.Set("limit", *limit);
  return question;
}

// "No event since ... of --severity warning."
std::string NothingText(const CommandArguments& arguments, const Window& window) {
  std::string asked;
  for (const char* name : kFilters) {
    if (arguments.Has(name))
      asked += fmt::format(" --{} {}", name, ShellWord(arguments.Text(name)));
  }
  return fmt::format("No event {}{}{}.", window.Describe(), asked.empty() ? "" : " matches", asked);
}

AnswerPage PageOf(const Json& answer, const Window& window, const CommandArguments& arguments) {
  AnswerPage page;
  page.json = answer["events"].items();
  Section& section = page.sections.emplace_back();
  section.table.columns = Columns();
  for (const Json& event : answer["events"].items()) {
    section.table.rows.push_back(Row(event));
  }
  if (answer["robots"].items().empty() && arguments.Has("robot")) {
    section.if_empty = fmt::format("No robot matches '{}'.", arguments.Text("robot"));
    page.exit_code = kExitNotFound;
    return page;
  }
  section.if_empty = NothingText(arguments, window);
  page.coverage = Coverage(answer, window);
  if (const auto more = answer["more"].AsInt(); more > 0) {
    page.warnings.push_back(fmt::format("Left out: {}; a larger --limit shows them.",
                                        CountOf(static_cast<std::size_t>(more), "older event")));
  }
  if (!answer["is_whole"].AsBool(true)) {
    page.warnings.emplace_back(
        "There are more events than the server looks through at once: the oldest are not counted. "
        "Ask for fewer robots or a worse --severity.");
  }
  return page;
}

// The newest event that belongs to a run leads on to it.
void AddNext(AnswerPage& page) {
  for (const Json& event : page.json.items()) {
    if (event["run"].is_null()) continue;
    page.next = {"tacho run show " + ShellWord(event["run"].AsText())};
    return;
  }
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto window = ParseWindow(arguments, context.now);
  if (!window.ok()) return std::move(window).status();
  auto question = QuestionOf(arguments, *window);
  if (!question.ok()) return std::move(question).status();
  auto answer = AskFleet(context, "events", *question);
  if (!answer.ok()) return std::move(answer).status();
  AnswerPage page = PageOf(*answer, *window, arguments);
  AddNext(page);
  return page;
}

}  // namespace

extern constinit const Command kEventsCommand{
    .path = "events",
    .summary = "list what happened to the robots, newest first",
    .details =
        "The robots' own events, and what the server noted of them by its own clock "
        "(kinds robot_*), which\nbelong to no run. ~ marks a robot's own clock that nobody vouches "
        "for; an event whose time nobody\nknows is listed wherever it may belong. Exits 3 where no "
        "robot matches --robot.",
    .examples =
        "tacho events --since 2h                # of all robots\n"
        "tacho events --robot rb12 --severity warning\n"
        "tacho events --kind 'robot_*' --since yesterday",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
