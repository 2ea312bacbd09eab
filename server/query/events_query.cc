// "events": what happened to the fleet's robots, newest first, and what of it may not be here yet.
#include <algorithm>

#include "common/glob.h"
#include "server/event_book.h"
#include "server/query.h"

namespace tacho {
namespace {

constexpr std::int64_t kMostEvents = 10000;

Json EventOf(const FleetEvent& found) {
  Json event = EventOf(found.event, found.wall);
  event.Set("robot", found.robot);
  event.Set("run", found.run.empty() ? Json() : Json(found.run));
  event.Set("clock_trust", NameOf(found.wall.trust));
  event.Set("by", found.boot ? "robot" : "server");
  if (!found.boot) event.Set("boot_ns", Json());
  return event;
}

// How far a robot's part of the answer may be believed.
Result<Json> RobotOf(const QueryContext& context, RunBook& book, const RobotRow& robot) {
  const auto boot = book.NewestBoot(robot.robot);
  if (!boot.ok()) return *boot.error();
  WallEstimate wall;
  if (*boot) {
    const auto pairs = context.store.ClockPairs((*boot)->key);
    if (!pairs.ok()) return *pairs.error();
    wall = WallOf((*boot)->last_seen.value_or(BootTime{}), *pairs);
  }
  const RecordCounts counts = context.store.CountsOf(robot.robot, Tier::kEvents);
  return Json(Json::Object{
      {"robot", robot.robot},
      {"state", StateOf(context, robot)},
      {"last_contact_wall_ns", WallOrNull(context.presence.LastHeard(robot.robot))},
      {"clock_trust", NameOf(wall.trust)},
      {"lost_records", counts.lost()},
  });
}

Result<EventQuestion> QuestionOf(Arguments& arguments) {
  EventQuestion question;
  question.kind = arguments.Text("kind", "*");
  const std::string severity = arguments.Text("severity", "info");
  question.since = arguments.Wall("since_wall_ns");
  question.until = arguments.Wall("until_wall_ns");
  question.limit = static_cast<std::size_t>(arguments.Int("limit", 100, 1, kMostEvents));
  TACHO_TRY(arguments.Finish());
  const auto least = ParseSeverity(severity);
  if (!least) {
    return Status(Code::kInvalid, "argument severity: must be info, warning or error");
  }
  question.least = *least;
  return question;
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string pattern = arguments.Text("robot", "*");
  const auto question = QuestionOf(arguments);
  if (!question.ok()) return *question.error();
  auto rows = context.store.Robots();
  if (!rows.ok()) return std::move(rows).status();
  std::erase_if(*rows, [&](const RobotRow& row) { return !MatchesGlob(pattern, row.robot); });

  const auto list = EventBook(context.store).List(*rows, *question);
  if (!list.ok()) return *list.error();
  Json events(Json::Array{});
  for (const FleetEvent& event : list->events)
    events.Push(EventOf(event));
  RunBook book(context.store);
  Json robots(Json::Array{});
  for (const RobotRow& row : *rows) {
    auto robot = RobotOf(context, book, row);
    if (!robot.ok()) return robot;
    robots.Push(*std::move(robot));
  }
  return Json(Json::Object{{"events", std::move(events)},
                           {"more", list->more},
                           {"is_whole", list->is_whole},
                           {"robots", std::move(robots)}});
}

}  // namespace

extern constinit const Query kEventsQuery{"events", &Answer};

}  // namespace tacho
