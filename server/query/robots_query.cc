// "robots": who is on the roster or ever called, and how each is doing.
#include "common/glob.h"
#include "server/query.h"

namespace tacho {
namespace {

Status AddBoot(const QueryContext& context, const RobotRow& robot, Json& answer) {
  RunBook book(context.store);
  const auto boot = book.NewestBoot(robot.robot);
  if (!boot.ok()) return *boot.error();
  if (!*boot) return {};
  const auto runs = book.RunsOf((*boot)->key);
  if (!runs.ok()) return *runs.error();
  const auto pairs = context.store.ClockPairs((*boot)->key);
  if (!pairs.ok()) return *pairs.error();
  answer.Set("boot_id", (*boot)->key.boot.ToString());
  answer.Set("boot_counter", (*boot)->counter);
  answer.Set("clock_trust", NameOf(WallOf((*boot)->last_seen.value_or(BootTime{}), *pairs).trust));
  if (runs->empty()) return {};
  const RunView& run = runs->back();
  answer.Set("run", NameOfRun(run));
  answer.Set("run_name", run.span.row.name);
  const DictionaryHash hash = run.span.row.dictionary;
  const auto dictionary = context.store.DictionaryOf(hash);
  if (!dictionary.ok()) return {};  // not here yet: the robot has not said what it is
  for (const auto& [key, value] : (*dictionary)->setup) {
    if (key == "model" || key == "power_mode") answer.Set(key, value);
  }
  return {};
}

Result<Json> RobotOf(const QueryContext& context, const RobotRow& robot) {
  const auto contact = context.presence.LastHeard(robot.robot);  // main.db's too: ingest read it
  const RecordCounts counts = context.store.CountsOf(robot.robot);
  Json answer = Json::Object{
      {"robot", robot.robot},
      {"state", StateOf(context, robot)},
      {"connected", context.presence.IsConnected(robot.robot)},
      {"expected", robot.is_expected},
      {"labels", ObjectOf(robot.labels)},
      {"last_contact_wall_ns", WallOrNull(contact)},
      {"boot_id", Json()},
      {"boot_counter", Json()},
      {"clock_trust", "never"},
      {"run", Json()},
      {"run_name", Json()},
      {"model", Json()},
      {"power_mode", Json()},
      {"agent", robot.agent},
      {"stored_records", counts.stored},
      {"gap_records", counts.gaps},
      {"missing_records", counts.missing},
  };
  TACHO_TRY(AddBoot(context, robot, answer));
  return answer;
}

Result<Json> Answer(const QueryContext& context, Arguments& arguments) {
  const std::string pattern = arguments.Text("robot", "*");
  TACHO_TRY(arguments.Finish());
  const auto robots = context.store.Robots();
  if (!robots.ok()) return *robots.error();
  Json list(Json::Array{});
  for (const RobotRow& row : *robots) {
    if (!MatchesGlob(pattern, row.robot)) continue;
    auto robot = RobotOf(context, row);
    if (!robot.ok()) return robot;
    list.Push(*std::move(robot));
  }
  return Json(Json::Object{{"robots", std::move(list)}});
}

}  // namespace

extern constinit const Query kRobotsQuery{"robots", &Answer};

}  // namespace tacho
