#include "server/event_book.h"

#include <algorithm>
#include <utility>

#include "common/glob.h"

namespace tacho {
namespace {

// What one question may look through. Above it, the answer says that it is not whole.
constexpr std::size_t kMostLookedAt = 50000;

bool Matches(const EventQuestion& question, const Event& event, const WallEstimate& wall,
             WallTime latest) {
  if (!MatchesGlob(question.kind, event.kind)) return false;
  if (question.since && latest < *question.since) return false;
  return !question.until || !wall.wall || *wall.wall <= *question.until;
}

// The latest that anything of this boot can have happened.
WallTime EndOf(const BootView& boot) {
  const auto last = boot.WallAt(boot.row.last_seen.value_or(BootTime{})).wall;
  return last.value_or(boot.not_after.value_or(WallTime::max()));
}

}  // namespace

struct EventBook::Found {
  std::vector<Placed> events;
  std::size_t looked_at = 0;
  bool is_whole = true;

  // What may still be read; notes where that cuts something off.
  std::size_t room() const { return kMostLookedAt - looked_at; }
  void Read(std::size_t count) {
    if (count == room()) is_whole = false;
    looked_at += count;
  }
};

Result<EventList> EventBook::List(const std::vector<RobotRow>& robots,
                                  const EventQuestion& question) {
  Found found;
  std::vector<std::pair<WallTime, BootView>> boots;
  for (const RobotRow& robot : robots) {
    TACHO_TRY(AddOfServer(robot.robot, question, found));
    auto views = runs_.BootsOf(robot.robot, question.since);
    if (!views.ok()) return std::move(views).status();
    for (BootView& boot : *views) {
      const WallTime end = EndOf(boot);
      boots.emplace_back(end, std::move(boot));
    }
  }
  std::stable_sort(boots.begin(), boots.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [end, boot] : boots)
    TACHO_TRY(AddOfBoot(boot, question, found));

  std::stable_sort(found.events.begin(), found.events.end(),
                   [](const Placed& a, const Placed& b) { return a.place > b.place; });
  EventList list;
  list.is_whole = found.is_whole;
  for (Placed& placed : found.events) {
    if (list.events.size() == question.limit) break;
    TACHO_TRY(NameRun(placed.event));
    list.events.push_back(std::move(placed.event));
  }
  list.more = found.events.size() - list.events.size();
  return list;
}

Status EventBook::AddOfBoot(const BootView& boot, const EventQuestion& question, Found& found) {
  if (found.room() == 0) return {};
  auto rows = store_.NewestEvents(boot.row.key, {question.least, found.room()});
  if (!rows.ok()) return std::move(rows).status();
  found.Read(rows->size());
  for (EventRow& row : *rows) {
    const WallEstimate wall = boot.WallAt(row.event.at);
    const WallTime latest = wall.wall.value_or(boot.not_after.value_or(boot.row.first_receipt));
    if (!Matches(question, row.event, wall, latest)) continue;
    found.events.push_back(
        {{boot.row.key.robot, std::move(row.event), boot.row.key, wall, ""}, latest});
  }
  return {};
}

Status EventBook::AddOfServer(const std::string& robot, const EventQuestion& question,
                              Found& found) {
  if (found.room() == 0) return {};
  auto rows = store_.RobotEvents(robot, {question.least, found.room()});
  if (!rows.ok()) return std::move(rows).status();
  found.Read(rows->size());
  for (RobotEvent& row : *rows) {
    Event event{BootTime{}, row.severity, std::move(row.kind), std::move(row.detail)};
    const WallEstimate wall{row.at, ClockTrust::kServer};
    if (!Matches(question, event, wall, row.at)) continue;
    found.events.push_back({{robot, std::move(event), std::nullopt, wall, ""}, row.at});
  }
  return {};
}

Status EventBook::NameRun(FleetEvent& event) {
  if (!event.boot) return {};
  const auto runs = runs_.RunsOf(*event.boot);
  if (!runs.ok()) return *runs.error();
  for (const RunView& run : *runs) {
    if (event.event.at >= run.span.from && event.event.at < run.span.to) event.run = NameOfRun(run);
  }
  return {};
}

}  // namespace tacho
