#include "server/roster.h"

#include <fmt/format.h>
#include <functional>
#include <future>
#include <utility>

#include "common/ids.h"
#include "common/log.h"

namespace tacho {
namespace {

constexpr std::size_t kMostRobots = 10000;
constexpr std::size_t kMostLabels = 64;
constexpr std::size_t kMostLabelBytes = 256;

Status CheckLabels(const std::map<std::string, std::string>& labels) {
  if (labels.size() > kMostLabels) {
    return {Code::kInvalid, fmt::format("a robot has at most {} labels", kMostLabels)};
  }
  for (const auto& [name, value] : labels) {
    if (!name.empty() && name.size() + value.size() <= kMostLabelBytes) continue;
    return {Code::kInvalid, fmt::format("a label has a name, and at most {} bytes with its value",
                                        kMostLabelBytes)};
  }
  return {};
}

RosterEntry EntryOf(const RobotRow* before, const std::string& robot) {
  if (before == nullptr) return {robot, false, false, {}, RosterBy::kNobody};
  return {robot, before->is_expected, before->is_retired, before->labels, before->roster_by};
}

}  // namespace

Result<RosterEntry> Changed(const RobotRow* before, const RosterChange& change,
                            const std::string& file) {
  const std::string& robot = change.robot;
  if (!IsRobotName(robot)) {
    return Status(Code::kInvalid,
                  fmt::format("\"{}\" is no robot's name: {}", robot, kRobotNameRule));
  }
  const bool says_something =
      change.adds || change.is_expected || change.is_retired || !change.labels.empty();
  if (!says_something) return Status(Code::kInvalid, "nothing is to be changed");
  RosterEntry entry = EntryOf(before, robot);
  if (entry.by == RosterBy::kFile) {
    return Status(Code::kExists,
                  fmt::format("{} names {}, and decides for it: change [robots.{}] there and start "
                              "the server again",
                              file, robot, robot));
  }
  if (change.adds && entry.by != RosterBy::kNobody) {
    return Status(Code::kExists, fmt::format("{} is on the roster already", robot));
  }
  if (!change.adds && before == nullptr) {
    return Status(Code::kNotFound,
                  fmt::format("there is no robot {0}; `tacho robot add {0}` adds it", robot));
  }
  if (change.adds) entry.by = RosterBy::kCommand;
  entry.is_expected = change.is_expected.value_or(entry.is_expected);
  entry.is_retired = change.is_retired.value_or(entry.is_retired);
  for (const auto& [name, value] : change.labels) {
    entry.labels.erase(name);
    if (value) entry.labels[name] = *value;
  }
  TACHO_TRY(CheckLabels(entry.labels));
  return entry;
}

std::string Describe(const RosterChange& change) {
  std::string text = change.robot;
  if (change.adds) text += " add";
  if (change.is_expected) text += *change.is_expected ? " expect" : " expect off";
  if (change.is_retired) text += *change.is_retired ? " retire" : " retire undo";
  for (const auto& [name, value] : change.labels) {
    text += value ? fmt::format(" {}={}", name, *value) : fmt::format(" {}-", name);
  }
  return text;
}

Status Roster::UseFile(const std::vector<RosterEntry>& entries) {
  TACHO_TRY(
      OnWriter([&](RunWriter& store) { return store.SaveRoster(entries, clock_.Pair().wall); }));
  return Enforce();
}

Result<RosterEntry> Roster::Change(const RosterChange& change, const std::string& who) {
  if (people_.Names(change.robot)) {
    return Status(Code::kInvalid,
                  fmt::format("{} is a person, by [people] of {}", change.robot, file_));
  }
  Result<RosterEntry> entry = Status(Code::kInternal, "not changed");
  TACHO_TRY(OnWriter([&](RunWriter& store) -> Status {
    entry = Write(store, change, who);
    return entry.ok() ? Status() : *entry.error();
  }));
  Log(LogLevel::kNotice,
      fmt::format("{} changed the roster: {}", who.empty() ? "somebody on this machine" : who,
                  Describe(change)));
  TACHO_TRY(Enforce());
  return entry;
}

// On the writer's thread, so that no other change comes between reading and writing.
Result<RosterEntry> Roster::Write(RunWriter& store, const RosterChange& change,
                                  const std::string& who) {
  const auto robots = store_.Robots();
  if (!robots.ok()) return *robots.error();
  const RobotRow* before = nullptr;
  for (const RobotRow& row : *robots) {
    if (row.robot == change.robot) before = &row;
  }
  if (before == nullptr && robots->size() >= kMostRobots) {
    return Status(Code::kExhausted,
                  fmt::format("{} robots are known, no more are added", robots->size()));
  }
  auto entry = Changed(before, change, file_);
  if (!entry.ok()) return entry;
  TACHO_TRY(store.ChangeRoster(*entry, {clock_.Pair().wall, who, Describe(change)}));
  return entry;
}

Status Roster::Enforce() {
  const auto robots = store_.Robots();
  if (!robots.ok()) return *robots.error();
  ingest_.UseRoster(*robots);
  return {};
}

Status Roster::OnWriter(const std::function<Status(RunWriter&)>& write) {
  std::promise<Status> done;
  auto result = done.get_future();
  const bool is_queued = writer_.Post([&](RunWriter& store) { done.set_value(write(store)); });
  return is_queued ? result.get() : Status(Code::kUnavailable, "the server is stopping");
}

}  // namespace tacho
