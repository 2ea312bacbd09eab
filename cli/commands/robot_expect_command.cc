// `tacho robot expect NAME`: says that a robot should be there.
#include <array>

#include "cli/command.h"
#include "cli/robot_change.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {{kRobotArgument}};
constexpr std::array<OptionDef, 1> kOptions = {{{.name = "off", .help = "it need not be there"}}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  return ChangeRobot(arguments, context, Json::Object{{"expected", !arguments.Has("off")}});
}

}  // namespace

extern constinit const Command kRobotExpectCommand{
    .path = "robot expect",
    .summary = "say that a robot should be there, or need not",
    .details =
        "An expected robot is missed where it is silent, even if it took its leave, and where it "
        "never called.",
    .examples =
        "tacho robot expect rb12\n"
        "tacho robot expect rb12 --off          # it is in the workshop",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
