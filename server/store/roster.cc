// Who is on the roster, and the audit of who changed it.
#include "server/store/sqlite_run_store.h"

namespace tacho {
namespace {

std::string_view WordOf(RosterBy by) {
  switch (by) {
    case RosterBy::kNobody:
      break;
    case RosterBy::kFile:
      return "file";
    case RosterBy::kCommand:
      return "command";
  }
  return "";
}

Status SetLabels(MainFile& main, const RosterEntry& entry) {
  auto clear = main.database().Prepare("DELETE FROM robot_labels WHERE robot = ?");
  if (!clear.ok()) return std::move(clear).status();
  TACHO_TRY((*clear)->Bind(1, entry.robot).Run());
  auto insert = main.database().Prepare("INSERT INTO robot_labels VALUES (?, ?, ?)");
  if (!insert.ok()) return std::move(insert).status();
  for (const auto& [name, value] : entry.labels) {
    TACHO_TRY((*insert)->Bind(1, entry.robot).Bind(2, name).Bind(3, value).Run());
  }
  return {};
}

Status Save(MainFile& main, const RosterEntry& entry, WallTime now) {
  TACHO_TRY(main.AddRobot(entry.robot, now));
  auto update = main.database().Prepare(
      "UPDATE robots SET is_expected = ?, is_retired = ?, roster_by = nullif(?, '')"
      " WHERE robot = ?");
  if (!update.ok()) return std::move(update).status();
  TACHO_TRY((*update)
                ->Bind(1, std::int64_t{entry.is_expected})
                .Bind(2, std::int64_t{entry.is_retired})
                .Bind(3, WordOf(entry.by))
                .Bind(4, entry.robot)
                .Run());
  return SetLabels(main, entry);
}

// Whoever is expected or on duty again from now on is missed again, if it is silent.
Status MissAnew(MainFile& main, const RosterEntry& entry) {
  auto update = main.database().Prepare(
      "UPDATE robots SET silent_since_wall_ns = NULL"
      " WHERE robot = ? AND (is_expected < ? OR is_retired > ?)");
  if (!update.ok()) return std::move(update).status();
  return (*update)
      ->Bind(1, entry.robot)
      .Bind(2, std::int64_t{entry.is_expected})
      .Bind(3, std::int64_t{entry.is_retired})
      .Run();
}

// Whom the configuration named until now, and what it said of them.
Status ForgetFile(MainFile& main) {
  TACHO_TRY(
      main.database().Execute("DELETE FROM robot_labels WHERE robot IN"
                              " (SELECT robot FROM robots WHERE roster_by = 'file');"
                              "UPDATE robots SET is_expected = 0, is_retired = 0, roster_by = NULL"
                              " WHERE roster_by = 'file';"));
  return {};
}

}  // namespace

Status SqliteRunStore::SaveRoster(std::span<const RosterEntry> entries, WallTime now) {
  return RunInMain("save the roster", [&](MainFile& main) -> Status {
    TACHO_TRY(ForgetFile(main));
    for (const RosterEntry& entry : entries)
      TACHO_TRY(Save(main, entry, now));
    return {};
  });
}

Status SqliteRunStore::ChangeRoster(const RosterEntry& entry, const AuditRow& audit) {
  return RunInMain("change the roster", [&](MainFile& main) -> Status {
    TACHO_TRY(MissAnew(main, entry));
    TACHO_TRY(Save(main, entry, audit.at));
    auto insert =
        main.database().Prepare("INSERT INTO audit (at_wall_ns, who, what) VALUES (?, ?, ?)");
    if (!insert.ok()) return std::move(insert).status();
    return (*insert)->Bind(1, Count(audit.at)).Bind(2, audit.who).Bind(3, audit.what).Run();
  });
}

}  // namespace tacho
