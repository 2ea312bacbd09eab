#include "server/run_book.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

#include "common/glob.h"

namespace tacho {
namespace {

// What one question may look through. Above it, the answer says that there is more.
constexpr std::size_t kMostRunsScanned = 20000;
constexpr std::size_t kIdDigits = 8;
constexpr std::string_view kIdle = "idle";

// By wall time where it is known, else by when its first record came, but before the next boot.
WallTime PlaceOf(const RunView& run) {
  const WallTime received = run.span.row.received;
  return run.WallAt(run.span.from)
      .wall.value_or(std::min(received, run.not_after.value_or(received)));
}

bool Matches(const RunFilter& filter, const RunView& run) {
  const RunRow& row = run.span.row;
  if (!filter.with_idle && row.name == kIdle) return false;
  if (!MatchesGlob(filter.robot, row.key.boot.robot)) return false;
  if (!MatchesGlob(filter.name, row.name)) return false;
  if (filter.until && PlaceOf(run) > *filter.until) return false;
  if (!filter.since || run.span.state == RunState::kOpen) return true;
  return run.WallAt(run.span.ended).wall.value_or(row.received) >= *filter.since;
}

// The server heard of the next boot before `since`: by then this one was over. A day of slack is
// for a server whose own clock was set.
bool EndedBefore(const BootRow& next, WallTime since) {
  constexpr Nanos kSlack = std::chrono::hours(24);
  return next.first_receipt < since && since - next.first_receipt > kSlack;
}

Status NoSuchRun(const std::string& name) {
  return {Code::kNotFound, fmt::format("there is no run {}", name)};
}

std::optional<std::uint32_t> ParseNumber(std::string_view text) {
  std::uint32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [at, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || at != end || text.empty()) return std::nullopt;
  return number;
}

}  // namespace

std::string NameOfBoot(const BootRow& boot) {
  if (boot.counter > 0) return std::to_string(boot.counter);
  return boot.key.boot.ToString().substr(0, kIdDigits);
}

std::string NameOfRun(const RunView& run) {
  return fmt::format("{}/{}/{}", run.boot.key.robot, NameOfBoot(run.boot), run.span.row.key.number);
}

Result<const RobotRow*> RunBook::RobotOf(const std::string& robot) {
  if (!robots_) {
    auto rows = store_.Robots();
    if (!rows.ok()) return std::move(rows).status();
    robots_.emplace();
    for (RobotRow& row : *rows) {
      std::string name = row.robot;
      robots_->emplace(std::move(name), std::move(row));
    }
  }
  const auto found = robots_->find(robot);
  return found == robots_->end() ? nullptr : &found->second;
}

Result<const RunBook::Boots*> RunBook::RowsOf(const std::string& robot) {
  if (const auto known = boots_.find(robot); known != boots_.end()) return &known->second;
  auto rows = store_.Boots(robot);
  if (!rows.ok()) return std::move(rows).status();
  const auto row = RobotOf(robot);
  if (!row.ok()) return *row.error();
  if (*row != nullptr && (*row)->current_boot) {
    // The boot that calls is the newest one, whatever a lost counter says.
    const BootId current = *(*row)->current_boot;
    std::stable_partition(rows->begin(), rows->end(),
                          [&](const BootRow& boot) { return boot.key.boot != current; });
  }
  return &boots_.emplace(robot, Boots{*std::move(rows)}).first->second;
}

Result<std::optional<BootRow>> RunBook::NewestBoot(const std::string& robot) {
  const auto boots = RowsOf(robot);
  if (!boots.ok()) return *boots.error();
  if ((*boots)->rows.empty()) return std::optional<BootRow>();
  return std::optional((*boots)->rows.back());
}

Result<std::vector<RunView>> RunBook::RunsOf(const BootKey& boot) {
  if (const auto known = runs_.find(boot); known != runs_.end()) return known->second;
  const auto boots = RowsOf(boot.robot);
  if (!boots.ok()) return *boots.error();
  std::vector<RunView> views;
  for (const BootRow& row : (*boots)->rows) {
    if (row.key != boot) continue;
    const auto runs = store_.RunsOf(boot);
    if (!runs.ok()) return *runs.error();
    const auto pairs = store_.ClockPairs(boot);
    if (!pairs.ok()) return *pairs.error();
    const auto not_after = BeginOfNext(**boots, boot);
    if (!not_after.ok()) return *not_after.error();
    const bool is_newest = (*boots)->rows.back().key == boot;
    for (RunSpan& span : TimelineOf(*runs, row, is_newest)) {
      views.push_back({std::move(span), row, *pairs, *not_after});
    }
  }
  return runs_.emplace(boot, std::move(views)).first->second;
}

Result<std::vector<BootView>> RunBook::BootsOf(const std::string& robot,
                                               std::optional<WallTime> since) {
  const auto boots = RowsOf(robot);
  if (!boots.ok()) return *boots.error();
  const std::vector<BootRow>& rows = (*boots)->rows;
  std::vector<BootView> views;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_newest = i + 1 == rows.size();
    if (since && !is_newest && EndedBefore(rows[i + 1], *since)) continue;
    auto pairs = store_.ClockPairs(rows[i].key);
    if (!pairs.ok()) return std::move(pairs).status();
    const auto not_after = BeginOfNext(**boots, rows[i].key);
    if (!not_after.ok()) return *not_after.error();
    views.push_back({rows[i], *std::move(pairs), *not_after, is_newest});
  }
  return views;
}

Result<std::optional<WallTime>> RunBook::BeginOfNext(const Boots& boots, const BootKey& boot) {
  for (std::size_t i = 0; i + 1 < boots.rows.size(); ++i) {
    if (boots.rows[i].key != boot) continue;
    const BootRow& next = boots.rows[i + 1];
    const auto pairs = store_.ClockPairs(next.key);
    if (!pairs.ok()) return *pairs.error();
    return std::optional(WallOf(BootTime{}, *pairs).wall.value_or(next.first_receipt));
  }
  return std::optional<WallTime>();
}

Result<std::vector<RunView>> RunBook::RunsOf(const std::string& robot) {
  const auto boots = RowsOf(robot);
  if (!boots.ok()) return *boots.error();
  std::vector<RunView> all;
  for (auto boot = (*boots)->rows.rbegin(); boot != (*boots)->rows.rend(); ++boot) {
    auto runs = RunsOf(boot->key);
    if (!runs.ok()) return runs;
    std::move(runs->rbegin(), runs->rend(), std::back_inserter(all));
  }
  return all;
}

Result<RunView> RunBook::Find(const std::string& name) {
  const auto at = name.find('@');
  if (at != std::string::npos) return FindNamed(name.substr(0, at), name.substr(at + 1));
  return FindNumbered(name);
}

Result<RunView> RunBook::FindNamed(const std::string& robot, const std::string& which) {
  if (which != "latest" && which != "idle") {
    return Status(Code::kInvalid,
                  fmt::format("\"{}@{}\": after the @ comes latest or idle", robot, which));
  }
  auto runs = RunsOf(robot);
  if (!runs.ok()) return std::move(runs).status();
  const bool wants_idle = which == "idle";
  for (RunView& run : *runs) {
    if ((run.span.row.name == kIdle) == wants_idle) return std::move(run);
  }
  if (wants_idle || runs->empty()) {
    return Status(Code::kNotFound,
                  fmt::format("{} has no {}run", robot, wants_idle ? "idle " : ""));
  }
  return std::move(runs->front());
}

Result<RunView> RunBook::FindNumbered(const std::string& name) {
  const auto second = name.rfind('/');
  const auto first =
      second == std::string::npos || second == 0 ? std::string::npos : name.rfind('/', second - 1);
  const auto number = second == std::string::npos
                          ? std::nullopt
                          : ParseNumber(std::string_view(name).substr(second + 1));
  if (first == std::string::npos || !IsRobotName(name.substr(0, first)) || !number) {
    return Status(
        Code::kInvalid,
        fmt::format("\"{}\" names no run: write robot/boot/number or robot@latest", name));
  }
  const std::string boot_name = name.substr(first + 1, second - first - 1);
  const auto boots = RowsOf(name.substr(0, first));
  if (!boots.ok()) return *boots.error();
  // Of two boots under one name (a counter that was lost and began again) the newer one is meant.
  for (auto boot = (*boots)->rows.rbegin(); boot != (*boots)->rows.rend(); ++boot) {
    const bool is_meant = NameOfBoot(*boot) == boot_name ||
                          boot->key.boot.ToString().substr(0, kIdDigits) == boot_name;
    if (!is_meant) continue;
    auto runs = RunsOf(boot->key);
    if (!runs.ok()) return std::move(runs).status();
    for (RunView& run : *runs) {
      if (run.span.row.key.number == *number) return std::move(run);
    }
  }
  return NoSuchRun(name);
}

Result<RunList> RunBook::List(const RunFilter& filter) {
  const auto rows = store_.NewestRuns(WallTime{}, kMostRunsScanned + 1);
  if (!rows.ok()) return *rows.error();
  RunList list;
  list.has_more = rows->size() > kMostRunsScanned;
  std::set<BootKey> seen;
  for (const RunRow& row : *rows) {
    if (!seen.insert(row.key.boot).second) continue;
    if (!MatchesGlob(filter.robot, row.key.boot.robot)) continue;
    const auto runs = RunsOf(row.key.boot);
    if (!runs.ok()) return *runs.error();
    for (const RunView& run : *runs) {
      if (Matches(filter, run)) list.runs.push_back(run);
    }
  }
  std::stable_sort(list.runs.begin(), list.runs.end(), [](const RunView& a, const RunView& b) {
    const WallTime place_a = PlaceOf(a);
    const WallTime place_b = PlaceOf(b);
    if (place_a != place_b) return place_a > place_b;
    return b.span.row.key < a.span.row.key;
  });
  if (list.runs.size() > filter.limit) {
    list.runs.resize(filter.limit);
    list.has_more = true;
  }
  return list;
}

}  // namespace tacho
