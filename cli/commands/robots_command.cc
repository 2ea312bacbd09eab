// `tacho robots`: which robots there are, and whether they still speak.
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/fleet_question.h"
#include "cli/text.h"
#include "cli/values.h"

namespace tacho {
namespace {

constexpr std::array<OptionDef, 1> kOptions = {
    {{.name = "robot", .placeholder = "GLOB", .help = "only robots of this name: 'rb1*'"}}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "robot"},
      {.name = "state"},
      {.name = "last_contact", .rank = 1, .is_right = true},
      {.name = "run", .rank = 2},
      {.name = "name", .rank = 5, .is_elastic = true},
      {.name = "lost", .rank = 3, .is_right = true},
      {.name = "stored", .rank = 6, .is_right = true},
      {.name = "model", .rank = 7, .is_elastic = true},
      {.name = "power_mode", .rank = 8},
      {.name = "clock", .rank = 4},
      {.name = "agent", .rank = 10, .is_elastic = true},
      {.name = "labels", .rank = 9, .is_elastic = true},
      {.name = "expected", .where = Where::kDataOnly},
      {.name = "boot_counter", .where = Where::kDataOnly},
      {.name = "boot_id", .where = Where::kDataOnly},
  };
  return kColumns;
}

Tone ToneOfState(std::string_view state) {
  if (state == "live") return Tone::kGood;
  if (state == "retired") return Tone::kDim;
  if (state == "quarantined") return Tone::kBad;
  return Tone::kMissing;
}

TableCell ClockCell(const Json& robot) {
  TableCell cell = WordCell(robot["clock_trust"]);
  if (IsEstimate(robot["clock_trust"].AsText())) cell.tone = Tone::kWarn;
  return cell;
}

// Named by gaps, or missing without a word.
std::int64_t LostRecords(const Json& robot) {
  return robot["gap_records"].AsInt() + robot["missing_records"].AsInt();
}

TableCell LostCell(const Json& robot) {
  const std::int64_t lost = LostRecords(robot);
  TableCell cell = CountCell(robot["gap_records"].is_number() ? Json(lost) : Json());
  if (lost > 0) cell.tone = Tone::kMissing;
  return cell;
}

std::vector<TableCell> Row(const Json& robot, WallTime now) {
  const std::string state = robot["state"].AsText();
  return {WordCell(robot["robot"]),
          TextCell(state, ToneOfState(state)),
          AgeCell(robot["last_contact_wall_ns"], now),
          WordCell(robot["run"]),
          WordCell(robot["run_name"]),
          LostCell(robot),
          CountCell(robot["stored_records"]),
          WordCell(robot["model"]),
          WordCell(robot["power_mode"]),
          ClockCell(robot),
          WordCell(robot["agent"]),
          LabelsCell(robot["labels"]),
          TextCell(robot["expected"].AsBool() ? "yes" : "no"),
          CountCell(robot["boot_counter"]),
          WordCell(robot["boot_id"])};
}

// What the fleet is short of, counted over the rows.
struct Tally {
  std::size_t expected = 0;
  std::size_t expected_live = 0;
  std::size_t live = 0;
  std::size_t estimated_clocks = 0;
  std::size_t with_losses = 0;
  std::vector<std::string> absent;  // expected and not live
};

Tally TallyOf(const Json::Array& robots) {
  Tally tally;
  for (const Json& robot : robots) {
    if (robot["state"].AsText() == "retired") continue;  // nobody waits for it
    const bool is_live = robot["state"].AsText() == "live";
    if (is_live) ++tally.live;
    if (robot["expected"].AsBool()) {
      ++tally.expected;
      if (is_live) ++tally.expected_live;
    }
    const bool was_here = robot["state"].AsText() == "silent";
    if (!is_live && (was_here || robot["expected"].AsBool())) {
      tally.absent.push_back(robot["robot"].AsText());
    }
    if (is_live && IsEstimate(robot["clock_trust"].AsText())) ++tally.estimated_clocks;
    if (LostRecords(robot) > 0) ++tally.with_losses;
  }
  return tally;
}

std::string AbsentText(const Tally& tally) {
  return tally.absent.empty() ? "" : "; not live: " + ListOf(tally.absent);
}

std::string Coverage(const Tally& tally) {
  std::string text = fmt::format("{} of {} expected robots live{}", tally.expected_live,
                                 tally.expected, AbsentText(tally));
  if (tally.expected == 0) {
    text =
        fmt::format("{} live{}; none is marked as expected, so one that never called is not missed",
                    CountOf(tally.live, "robot"), AbsentText(tally));
  }
  if (tally.with_losses > 0) {
    text += fmt::format("; records were lost of {}", CountOf(tally.with_losses, "robot"));
  }
  if (tally.estimated_clocks > 0) {
    text += fmt::format("; nobody vouches for the clock of {}",
                        CountOf(tally.estimated_clocks, "robot"));
  }
  return text;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  Json question{Json::Object{}};
  if (arguments.Has("robot")) question.Set("robot", arguments.Text("robot"));
  auto answer = AskFleet(context, "robots", question);
  if (!answer.ok()) return std::move(answer).status();
  const Json::Array& robots = (*answer)["robots"].items();

  AnswerPage page;
  page.json = robots;
  Section& section = page.sections.emplace_back();
  section.table.columns = Columns();
  section.if_empty = arguments.Has("robot")
                         ? fmt::format("No robot matches '{}'.", arguments.Text("robot"))
                         : "No robot is known to this server yet.";
  for (const Json& robot : robots) {
    section.table.rows.push_back(Row(robot, context.now));
  }
  if (robots.empty() && arguments.Has("robot")) {
    page.exit_code = kExitNotFound;
  } else {
    page.coverage = Coverage(TallyOf(robots));
  }
  if (!robots.empty()) {
    const std::string first = robots.front()["robot"].AsText();
    page.next = {"tacho runs --robot " + ShellWord(first),
                 "tacho check " + ShellWord(first + "@latest")};
  }
  return page;
}

}  // namespace

extern constinit const Command kRobotsCommand{
    .path = "robots",
    .summary = "list the robots, and whether they still speak",
    .details =
        "A robot is live, silent (it was here and stopped), never (expected, and not seen "
        "yet), quarantined\nor retired. LOST counts records that will never arrive; the "
        "gaps of `tacho run show` say why. Exits 3 where none "
        "matches --robot.",
    .examples =
        "tacho robots                           # all of them\n"
        "tacho robots --robot 'rb1*'            # some of them\n"
        "tacho robots -o json | jq -r '.[] | select(.state != \"live\") | .robot'",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
