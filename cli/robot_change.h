// Asks the fleet server to change one robot's place on the roster, and says what it is then.
#pragma once

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/page.h"
#include "common/json.h"
#include "common/status.h"

namespace tacho {

inline constexpr ArgumentDef kRobotArgument = {
    .name = "robot", .placeholder = "NAME", .help = "the robot, as its certificate names it"};

// `change` is what the question "roster" takes besides the robot, which `arguments` name.
Result<AnswerPage> ChangeRobot(const CommandArguments& arguments, CommandContext& context,
                               Json change);

}  // namespace tacho
