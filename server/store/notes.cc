// What the server itself writes down: who called and who is silent, budgets, rollups and verdicts.
#include <fmt/format.h>

#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

Result<Statement*> Bound(Database& database, const char* sql, std::optional<std::int64_t> value,
                         const std::string& robot) {
  auto statement = database.Prepare(sql);
  if (statement.ok()) (*statement)->Bind(1, value).Bind(2, robot);
  return statement;
}

std::optional<std::int64_t> MaybeCount(std::optional<WallTime> at) {
  if (!at) return std::nullopt;
  return Count(*at);
}

// A robot that was marked as silent is heard of again.
Status AddReturn(MainFile& main, const std::string& robot, WallTime at) {
  auto query = main.database().Prepare(
      "SELECT silent_since_wall_ns, last_contact_wall_ns IS NULL FROM robots WHERE robot = ?");
  if (!query.ok()) return std::move(query).status();
  (*query)->Bind(1, robot);
  std::optional<std::int64_t> since;
  bool is_first = false;
  if ((*query)->Step()) {
    since = (*query)->MaybeInt(0);
    is_first = (*query)->Int(1) != 0;
  }
  TACHO_TRY((*query)->Finish());
  if (!since) return {};
  const auto silent_for =
      std::chrono::duration_cast<std::chrono::seconds>(at - WallTimeOf(*since)).count();
  return main.AddRobotEvent({robot, at, Severity::kInfo, "robot_back",
                             fmt::format("heard of {} after {} s",
                                         is_first ? "for the first time" : "again", silent_for)});
}

}  // namespace

Status SqliteRunStore::Greet(const Greeting& greeting) {
  return RunInMain("note a robot's call", [&](MainFile& main) -> Status {
    const auto boot = main.BootRef({greeting.robot, greeting.boot}, greeting.received);
    if (!boot.ok()) return *boot.error();
    auto robot =
        main.database().Prepare("UPDATE robots SET current_boot = ?, agent = ? WHERE robot = ?");
    if (!robot.ok()) return std::move(robot).status();
    TACHO_TRY((*robot)->Bind(1, *boot).Bind(2, greeting.agent).Bind(3, greeting.robot).Run());
    auto counter = main.database().Prepare(
        "UPDATE boots SET boot_counter = max(boot_counter, ?), last_word = NULL,"
        " last_word_wall_ns = NULL WHERE boot_ref = ?");  // who calls again takes back its leave
    if (!counter.ok()) return std::move(counter).status();
    TACHO_TRY((*counter)->Bind(1, SignedBits(greeting.boot_counter)).Bind(2, *boot).Run());
    auto pair = main.database().Prepare("INSERT OR IGNORE INTO clock_pairs VALUES (?, ?, ?, ?)");
    if (!pair.ok()) return std::move(pair).status();
    return (*pair)
        ->Bind(1, *boot)
        .Bind(2, static_cast<std::int64_t>(ClockTrust::kServer))
        .Bind(3, Count(greeting.boot_time))
        .Bind(4, Count(greeting.received))
        .Run();
  });
}

Status SqliteRunStore::SaveContacts(std::span<const std::pair<std::string, WallTime>> contacts) {
  return RunInMain("save the times of contact", [&](MainFile& main) -> Status {
    for (const auto& [robot, at] : contacts) {
      TACHO_TRY(AddReturn(main, robot, at));
      auto update = Bound(main.database(),
                          "UPDATE robots SET last_contact_wall_ns = ?1, silent_since_wall_ns = NULL"
                          " WHERE robot = ?2",
                          Count(at), robot);
      if (!update.ok()) return std::move(update).status();
      TACHO_TRY((*update)->Run());
    }
    return {};
  });
}

Status SqliteRunStore::SaveRobotEvent(const RobotEvent& event) {
  return RunInMain("note an event of a robot",
                   [&](MainFile& main) { return main.AddRobotEvent(event); });
}

Status SqliteRunStore::Quarantine(const std::string& robot, std::optional<WallTime> until) {
  return RunInMain("quarantine a robot", [&](MainFile& main) -> Status {
    auto update =
        Bound(main.database(), "UPDATE robots SET quarantined_until_wall_ns = ? WHERE robot = ?",
              MaybeCount(until), robot);
    if (!update.ok()) return std::move(update).status();
    return (*update)->Run();
  });
}

Status SqliteRunStore::MarkSilent(const RobotEvent& event, WallTime since) {
  return RunInMain("mark a robot as silent", [&](MainFile& main) -> Status {
    auto update = Bound(main.database(),
                        "UPDATE robots SET silent_since_wall_ns = ? WHERE robot = ?"
                        " AND silent_since_wall_ns IS NULL AND is_retired = 0",
                        Count(since), event.robot);
    if (!update.ok()) return std::move(update).status();
    TACHO_TRY((*update)->Run());
    return main.database().Changes() > 0 ? main.AddRobotEvent(event) : Status();
  });
}

Status SqliteRunStore::SaveLastWord(const BootKey& boot, const LastWord& last_word) {
  return RunInMain("note a last word", [&](MainFile& main) -> Status {
    const auto ref = main.BootRef(boot, last_word.at);
    if (!ref.ok()) return *ref.error();
    auto update = main.database().Prepare(
        "UPDATE boots SET last_word = ?, last_word_wall_ns = ? WHERE boot_ref = ?");
    if (!update.ok()) return std::move(update).status();
    return (*update)->Bind(1, last_word.reason).Bind(2, Count(last_word.at)).Bind(3, *ref).Run();
  });
}

Result<std::int64_t> SqliteRunStore::SaveBudgets(const std::string& text, WallTime now) {
  std::int64_t version = 0;
  Status saved = RunInMain("save the budgets", [&](MainFile& main) -> Status {
    auto newest = main.database().Prepare(
        "SELECT budgets_ref, text FROM budgets ORDER BY budgets_ref DESC LIMIT 1");
    if (!newest.ok()) return std::move(newest).status();
    const bool is_same = (*newest)->Step() && (*newest)->Text(1) == text;
    if (is_same) version = (*newest)->Int(0);
    TACHO_TRY((*newest)->Finish());
    if (is_same) return {};
    auto insert =
        main.database().Prepare("INSERT INTO budgets (loaded_wall_ns, text) VALUES (?, ?)");
    if (!insert.ok()) return std::move(insert).status();
    TACHO_TRY((*insert)->Bind(1, Count(now)).Bind(2, text).Run());
    version = main.database().LastRowId();
    return {};
  });
  if (!saved.ok()) return saved;
  return version;
}

Status SqliteRunStore::SaveRollup(const RunKey& run, std::span<const std::byte> payload) {
  return RunInMain("save a rollup", [&](MainFile& main) -> Status {
    const auto ref = main.RunRef(run);
    if (!ref.ok()) return *ref.error();
    auto insert = main.database().Prepare("INSERT OR REPLACE INTO rollups VALUES (?, ?)");
    if (!insert.ok()) return std::move(insert).status();
    return (*insert)->Bind(1, *ref).Bind(2, payload).Run();
  });
}

Status SqliteRunStore::SaveVerdict(const RunKey& run, const VerdictRow& verdict) {
  return RunInMain("save a verdict", [&](MainFile& main) -> Status {
    const auto ref = main.RunRef(run);
    if (!ref.ok()) return *ref.error();
    auto insert = main.database().Prepare("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?)");
    if (!insert.ok()) return std::move(insert).status();
    return (*insert)
        ->Bind(1, *ref)
        .Bind(2, verdict.fingerprint)
        .Bind(3, verdict.verdict)
        .Bind(4, verdict.coverage)
        .Run();
  });
}

}  // namespace tacho
