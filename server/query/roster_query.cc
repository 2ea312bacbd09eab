// "roster": changes one robot's place on the roster, and answers with what it is now.
#include "server/query.h"
#include "server/roster.h"

namespace tacho {
namespace {

std::optional<bool> MaybeBool(Arguments& arguments, std::string_view key) {
  if (!arguments.Has(key)) return std::nullopt;
  return arguments.Bool(key, false);
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  RosterChange change;
  change.robot = arguments.Text("robot", "");
  change.adds = arguments.Bool("add", false);
  change.is_expected = MaybeBool(arguments, "expected");
  change.is_retired = MaybeBool(arguments, "retired");
  change.labels = arguments.TextsOrNulls("labels");
  TACHO_TRY(arguments.Finish());
  const auto entry = context.roster.Change(change, context.asker);
  if (!entry.ok()) return *entry.error();
  return Json(Json::Object{{"robot", entry->robot},
                           {"on_roster", entry->by != RosterBy::kNobody},
                           {"expected", entry->is_expected},
                           {"retired", entry->is_retired},
                           {"labels", ObjectOf(entry->labels)}});
}

}  // namespace

extern constinit const Query kRosterQuery{"roster", &Answer, Role::kAdmin};

}  // namespace tacho
