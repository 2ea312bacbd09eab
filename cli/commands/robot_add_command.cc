// `tacho robot add NAME`: puts a robot on the roster.
#include <array>
#include <utility>

#include "cli/command.h"
#include "cli/labels.h"
#include "cli/robot_change.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 1> kArguments = {{kRobotArgument}};
constexpr std::array<OptionDef, 2> kOptions = {{
    {.name = "label",
     .letter = 'l',
     .placeholder = "KEY=VALUE",
     .help = "kept with the robot; may be repeated",
     .is_repeatable = true},
    {.name = "expected", .help = "say so where it is silent, or never calls"},
}};

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  Json change{Json::Object{{"add", true}}};
  if (arguments.Has("expected")) change.Set("expected", true);
  if (arguments.Has("label")) {
    auto labels = ParseLabels(arguments.Texts("label"));
    if (!labels.ok()) return std::move(labels).status();
    change.Set("labels", *std::move(labels));
  }
  return ChangeRobot(arguments, context, std::move(change));
}

}  // namespace

extern constinit const Command kRobotAddCommand{
    .path = "robot add",
    .summary = "put a robot on the roster",
    .details =
        "It may call from now on, also where the server admits its roster only. The change is "
        "kept, and\nrecorded with your name. What the server's configuration says of a robot is "
        "changed there alone.",
    .examples =
        "tacho robot add rb40 --expected -l site=munich\n"
        "tacho robot add bench-3",
    .arguments = kArguments,
    .options = kOptions,
    .run = &Run,
};

}  // namespace tacho
