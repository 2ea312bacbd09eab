// `tacho boots`: the boots of the robots, newest first, and how each ended.
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

constexpr std::int64_t kDefaultLimit = 100;
constexpr std::size_t kIdDigits = 8;

constexpr std::array<OptionDef, 2> kOptions = {{
    {.name = "robot", .placeholder = "GLOB", .help = "only boots of these robots: 'rb1*'"},
    {.name = "limit", .placeholder = "N", .help = "at most so many, the newest (100)"},
}};

const std::vector<TableColumn>& Columns() {
  static const std::vector<TableColumn> kColumns = {
      {.name = "robot"},
      {.name = "boot", .is_right = true},
      {.name = "id", .rank = 5},
      {.name = "first", .rank = 2},
      {.name = "last", .rank = 1},
      {.name = "end"},
      {.name = "runs", .rank = 4, .is_right = true},
      {.name = "stored", .rank = 6, .is_right = true},
      {.name = "gaps", .rank = 3, .is_right = true},
      {.name = "missing", .rank = 3, .is_right = true},
      {.name = "clock", .rank = 7},
      {.name = "booted", .where = Where::kDataOnly},
      {.name = "end_detail", .where = Where::kDataOnly},
      {.name = "boot_id", .where = Where::kDataOnly},
      {.name = "agent", .where = Where::kDataOnly},
  };
  return kColumns;
}

// The word of the answer for programs; what it means, for people.
TableCell EndCell(const Json& end) {
  TableCell cell = WordCell(end);
  if (cell.raw == "left") cell.shown = "took leave";
  if (cell.raw == "clean") cell.shown = "clean stop";
  if (cell.raw == "unclean") {
    cell.shown = "no farewell";
    cell.tone = Tone::kWarn;
  }
  if (cell.raw == "unknown") {
    cell.shown = "next boot began";
    cell.tone = Tone::kMissing;
  }
  if (cell.raw == "silent") cell.tone = Tone::kMissing;
  return cell;
}

TableCell LossCell(const Json& count) {
  TableCell cell = CountCell(count);
  if (count.AsInt() > 0) cell.tone = Tone::kMissing;
  return cell;
}

std::vector<TableCell> Row(const Json& boot) {
  const std::string trust = boot["clock_trust"].AsText();
  return {WordCell(boot["robot"]),
          CountCell(boot["boot_counter"]),
          TextCell(boot["boot_id"].AsText().substr(0, kIdDigits)),
          TimeCell(boot["first_wall_ns"], trust),
          TimeCell(boot["last_wall_ns"], trust),
          EndCell(boot["end"]),
          CountCell(boot["runs"]),
          CountCell(boot["stored_records"]),
          LossCell(boot["gap_records"]),
          LossCell(boot["missing_records"]),
          WordCell(boot["clock_trust"]),
          TimeCell(boot["booted_wall_ns"], trust),
          WordCell(boot["end_detail"]),
          WordCell(boot["boot_id"]),
          WordCell(boot["agent"])};
}

std::string Coverage(const Json& answer) {
  std::size_t unclean = 0;
  std::size_t unknown = 0;
  std::size_t lossy = 0;
  std::size_t estimated = 0;
  const Json::Array& boots = answer["boots"].items();
  for (const Json& boot : boots) {
    const std::string end = boot["end"].AsText();
    if (end == "unclean") ++unclean;
    if (end == "unknown" || end == "silent") ++unknown;
    if (boot["gap_records"].AsInt() + boot["missing_records"].AsInt() > 0) ++lossy;
    if (IsEstimate(boot["clock_trust"].AsText())) ++estimated;
  }
  std::string text =
      fmt::format("{} of {}; without a farewell: {}", CountOf(boots.size(), "boot"),
                  CountOf(static_cast<std::size_t>(answer["robots"].AsInt()), "robot"), unclean);
  if (unknown > 0) text += fmt::format("; how it ended nobody knows: {}", unknown);
  if (lossy > 0) text += fmt::format("; records were lost of {}", CountOf(lossy, "boot"));
  if (estimated > 0) {
    text += fmt::format("; nobody vouches for the clock of {}", CountOf(estimated, "boot"));
  }
  return text;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto limit = arguments.Int("limit", kDefaultLimit, {1, 10'000});
  if (!limit.ok()) return std::move(limit).status();
  Json question{Json::Object{{"limit", *limit}}};
  if (arguments.Has("robot")) question.Set("robot", arguments.Text("robot"));
  auto answer = AskFleet(context, "boots", question);
  if (!answer.ok()) return std::move(answer).status();

  AnswerPage page;
  page.json = (*answer)["boots"].items();
  Section& section = page.sections.emplace_back();
  section.table.columns = Columns();
  for (const Json& boot : (*answer)["boots"].items()) {
    section.table.rows.push_back(Row(boot));
  }
  if ((*answer)["robots"].AsInt() == 0 && arguments.Has("robot")) {
    section.if_empty = fmt::format("No robot matches '{}'.", arguments.Text("robot"));
    page.exit_code = kExitNotFound;
    return page;
  }
  section.if_empty = "No boot is known: none of these robots ever called.";
  page.coverage = Coverage(*answer);
  if (const auto more = (*answer)["more"].AsInt(); more > 0) {
    page.warnings.push_back(fmt::format("Left out: {}; a larger --limit shows them.",
                                        CountOf(static_cast<std::size_t>(more), "older boot")));
  }
  if (!page.json.items().empty()) {
    const std::string robot = ShellWord(page.json.items().front()["robot"].AsText());
    page.next = {"tacho events --robot " + robot, "tacho runs --idle --robot " + robot};
  }
  return page;
}

}  // namespace

extern constinit const Command kBootsCommand{
    .path = "boots",
    .summary = "list the boots of the robots, newest first, and how each ended",
    .details =
        "END: open; silent (the newest, not heard of); took leave (the sender said goodbye, "
        "not heard of\nsince); clean stop and no farewell (killed, crashed or power cut) as the "
        "next boot found it; next\nboot began (how this one ended nobody knows). FIRST and LAST "
        "are times of records, by the robot's\nclock: ~ marks one that nobody vouches for. Exits "
        "3 where no robot matches --robot.",
    .examples =
        "tacho boots --robot rb12               # did it lose power?\n"
        "tacho boots -o json | jq '.[] | select(.end == \"unclean\")'",
    .arguments = {},
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
