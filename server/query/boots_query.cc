// "boots": the boots of the fleet's robots, newest first, and how each ended.
#include <algorithm>
#include <utility>

#include "common/glob.h"
#include "server/boot_end.h"
#include "server/query.h"

namespace tacho {
namespace {

constexpr std::int64_t kMostBoots = 10000;

// A boot among the others of its robot.
struct Found {
  BootView boot;
  WallTime place;  // when it began, else the latest that it can have; never after the next one's
  std::optional<BootKey> next;
  bool is_robot_silent = false;
};

WallTime PlaceOf(const BootView& boot) {
  return boot.WallAt(BootTime{}).wall.value_or(boot.not_after.value_or(boot.row.first_receipt));
}

Result<BootEnding> EndOf(const QueryContext& context, const Found& found) {
  AfterBoot after{found.boot.is_newest, found.is_robot_silent, std::nullopt};
  if (found.next) {
    auto report = context.store.FirstReport(*found.next);
    if (!report.ok()) return std::move(report).status();
    after.next_report = *std::move(report);
  }
  return EndingOf(found.boot.row, after);
}

Result<Json> BootOf(const QueryContext& context, const Found& found) {
  const BootView& boot = found.boot;
  const BootRow& row = boot.row;
  const auto at = [&](std::optional<BootTime> when) {
    return when ? WallOrNull(boot.WallAt(*when)) : Json();
  };
  const auto runs = context.store.RunsOf(row.key);
  if (!runs.ok()) return *runs.error();
  const auto end = EndOf(context, found);
  if (!end.ok()) return *end.error();
  const RecordCounts counts = context.store.CountsOf(row.key);
  const auto last = row.last_seen;
  return Json(Json::Object{
      {"robot", row.key.robot},
      {"boot", NameOfBoot(row)},
      {"boot_id", row.key.boot.ToString()},
      {"boot_counter", row.counter > 0 ? Json(row.counter) : Json()},
      {"agent", row.agent},
      {"booted_wall_ns", at(BootTime{})},
      {"first_wall_ns", at(row.first_seen)},
      {"last_wall_ns", at(last)},
      {"last_boot_ns", BootOrNull(last)},
      {"clock_trust", NameOf(boot.WallAt(last.value_or(BootTime{})).trust)},
      {"end", NameOf(end->end)},
      {"end_detail", end->detail},
      {"runs", std::uint64_t{runs->size()}},
      {"stored_records", counts.stored},
      {"gap_records", counts.gaps},
      {"missing_records", counts.missing},
  });
}

Result<std::vector<Found>> BootsOf(const QueryContext& context, RunBook& book,
                                   const std::string& robot) {
  auto views = book.BootsOf(robot);
  if (!views.ok()) return std::move(views).status();
  std::vector<Found> boots;
  std::optional<BootKey> next;
  const bool is_silent = context.silence.Of(robot) > Nanos{0};
  WallTime place = WallTime::max();
  for (auto view = views->rbegin(); view != views->rend(); ++view) {
    const BootKey key = view->row.key;
    place = std::min(place, PlaceOf(*view));
    boots.push_back({std::move(*view), place, std::exchange(next, key), is_silent});
  }
  return boots;
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string pattern = arguments.Text("robot", "*");
  const auto limit = static_cast<std::size_t>(arguments.Int("limit", 100, 1, kMostBoots));
  TACHO_TRY(arguments.Finish());
  const auto robots = context.store.Robots();
  if (!robots.ok()) return *robots.error();
  RunBook book(context.store);
  std::vector<Found> all;
  std::uint64_t asked = 0;
  for (const RobotRow& robot : *robots) {
    if (!MatchesGlob(pattern, robot.robot)) continue;
    ++asked;
    auto boots = BootsOf(context, book, robot.robot);
    if (!boots.ok()) return std::move(boots).status();
    std::move(boots->begin(), boots->end(), std::back_inserter(all));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Found& a, const Found& b) { return a.place > b.place; });
  Json list(Json::Array{});
  for (std::size_t i = 0; i < std::min(limit, all.size()); ++i) {
    auto boot = BootOf(context, all[i]);
    if (!boot.ok()) return boot;
    list.Push(*std::move(boot));
  }
  const std::uint64_t more = all.size() - list.items().size();
  return Json(Json::Object{{"boots", std::move(list)}, {"more", more}, {"robots", asked}});
}

}  // namespace

extern constinit const Query kBootsQuery{"boots", &Answer};

}  // namespace tacho
