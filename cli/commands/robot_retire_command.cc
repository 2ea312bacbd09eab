// `tacho robot retire NAME`: a robot is no longer taken in.
#include <array>

#include "cli/command.h"
#include "cli/robot_change.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {{kRobotArgument}};
constexpr std::array<OptionDef, 1> kOptions = {{{.name = "undo", .help = "take it in again"}}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  return ChangeRobot(arguments, context, Json::Object{{"retired", !arguments.Has("undo")}});
}

}  // namespace

extern constinit const Command kRobotRetireCommand{
    .path = "robot retire",
    .summary = "take no more from a robot, or take it in again",
    .details =
        "Its connection is cut at once and it is refused from then on. What it brought stays. A "
        "retired robot\nis not missed.",
    .examples =
        "tacho robot retire rb07\n"
        "tacho robot retire rb07 --undo",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
