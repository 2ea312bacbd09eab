// `tacho robot label NAME KEY=VALUE... KEY-...`: puts labels on a robot, and takes them off.
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/labels.h"
#include "cli/robot_change.h"

namespace tacho {
namespace {

constexpr std::array<ArgumentDef, 2> kArguments = {
    {kRobotArgument,
     {.name = "label",
      .placeholder = "LABEL",
      .help = "KEY=VALUE puts it on, KEY- takes it off",
      .is_repeatable = true}}};

// "site=munich" and "bay-", as the question takes them: a null takes one off.
Result<Json> ParseChanges(const std::vector<std::string>& texts) {
  std::vector<std::string> on;
  std::vector<std::string> off;
  for (const std::string& text : texts) {
    const bool takes_off =
        text.size() > 1 && text.back() == '-' && text.find('=') == std::string::npos;
    if (takes_off) {
      off.push_back(text.substr(0, text.size() - 1));
    } else {
      on.push_back(text);
    }
  }
  auto labels = ParseLabels(on);
  if (!labels.ok()) return labels;
  for (const std::string& key : off) {
    for (const auto& [known, value] : labels->members()) {
      if (known != key) continue;
      return Status(Code::kInvalid, fmt::format("The label '{}' is given twice.", key));
    }
    labels->Append(key, Json());
  }
  return labels;
}

Result<AnswerPage> Run(const CommandArguments& arguments, CommandContext& context) {
  auto labels = ParseChanges(arguments.Texts("label"));
  if (!labels.ok()) return std::move(labels).status();
  return ChangeRobot(arguments, context, Json::Object{{"labels", *std::move(labels)}});
}

}  // namespace

extern constinit const Command kRobotLabelCommand{
    .path = "robot label",
    .summary = "put labels on a robot, and take them off",
    .details = "A label that is there gets the new value; others stay as they are.",
    .examples =
        "tacho robot label rb12 site=munich fleet=night\n"
        "tacho robot label rb12 fleet-          # takes one off",
    .arguments = kArguments,
    .options = {},
    .run = &Run,
};

}  // namespace tacho
