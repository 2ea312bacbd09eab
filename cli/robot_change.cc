#include "cli/robot_change.h"

#include <utility>

#include "cli/fleet_question.h"
#include "cli/text.h"
#include "cli/values.h"

namespace tacho {
namespace {

TableCell YesNo(const Json& value) {
  return value.is_null() ? Absent() : TextCell(value.AsBool() ? "yes" : "no");
}

}  // namespace

Result<AnswerPage> ChangeRobot(const CommandArguments& arguments, CommandContext& context,
                               Json change) {
  change.Set("robot", arguments.Text("robot"));
  auto answer = AskFleet(context, "roster", change);
  if (!answer.ok()) return std::move(answer).status();
  AnswerPage page;
  page.json = *answer;
  Section& section = page.sections.emplace_back();
  section.table.columns = {{.name = "robot"},
                           {.name = "on_roster"},
                           {.name = "expected"},
                           {.name = "retired"},
                           {.name = "labels", .is_elastic = true}};
  section.table.rows.push_back({WordCell((*answer)["robot"]), YesNo((*answer)["on_roster"]),
                                YesNo((*answer)["expected"]), YesNo((*answer)["retired"]),
                                LabelsCell((*answer)["labels"])});
  page.next = {"tacho robots --robot " + ShellWord(arguments.Text("robot"))};
  return page;
}

}  // namespace tacho
