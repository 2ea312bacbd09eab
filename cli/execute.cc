// Runs one command: its page to stdout, its complaint to stderr, and the exit code.
#include "cli/execute.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <ostream>
#include <string_view>
#include <utility>

#include "cli/exit_code.h"
#include "cli/render.h"
#include "cli/text.h"

namespace tacho {
namespace {

// CSV is one table under one header.
Status CheckFits(const AnswerPage& page, const Command& command, const Style& style) {
  const auto tables =
      std::count_if(page.sections.begin(), page.sections.end(),
                    [](const Section& section) { return section.where != Where::kTextOnly; });
  if (style.format != Format::kCsv || tables <= 1) return {};
  const bool has_choice =
      std::any_of(command.options.begin(), command.options.end(),
                  [](const OptionDef& option) { return option.name == "section"; });
  return {Code::kInvalid,
          fmt::format("This answer has several tables, and CSV holds one. {}se -o tsv, which names "
                      "the table in each row's first field.",
                      has_choice ? "Choose one with --section, or u" : "U")};
}

Result<AnswerPage> RunChecked(const Command& command, const CommandArguments& arguments,
                              CommandContext& context) {
  TACHO_TRY(CheckRequired(command.arguments, arguments));
  TACHO_TRY(CheckRepeated(command.options, arguments));
  auto page = command.run(arguments, context);
  if (page.ok()) TACHO_TRY(CheckFits(*page, command, context.style));
  return page;
}

// "tacho: ..." for each line, so that every mistake of a file has one of its own.
void Say(std::string_view message, std::ostream& err) {
  for (std::size_t at = 0; at <= message.size();) {
    const std::size_t end = std::min(message.find('\n', at), message.size());
    err << "tacho: " << Printable(message.substr(at, end - at)) << '\n';
    at = end + 1;
  }
  err << std::flush;
}

Status Print(const AnswerPage& page, const Style& style, std::ostream& out, std::ostream& err) {
  const Rendered rendered = Render(page, style);
  err << rendered.notes << std::flush;
  out << rendered.out << std::flush;
  if (out) return {};
  return {Code::kInternal, "The answer could not be written to stdout."};
}

// Pages of one command, each printed when it is there.
void LetItShow(CommandContext& context, std::ostream& out, std::ostream& err) {
  Style style = context.style;
  if (style.format == Format::kJson) style.format = Format::kJsonLines;
  context.show = [style, &out, &err](const AnswerPage& page) mutable {
    Status status = Print(page, style, out, err);
    style.is_continued = true;
    return status;
  };
  context.say = [&err](const std::string& sentence) { Say(sentence, err); };
}

}  // namespace

int Execute(const Command& command, const CommandArguments& arguments, CommandContext& context,
            std::ostream& out, std::ostream& err) {
  LetItShow(context, out, err);
  auto page = RunChecked(command, arguments, context);
  if (const Status* why = page.error()) {
    const int code = Complain(*why, err);
    if (code == kExitUsage) err << fmt::format("Try `tacho {} --help`.\n", command.path);
    return code;
  }
  const Status printed = Print(*page, context.style, out, err);
  if (!printed.ok()) return Complain(printed, err);
  return page->exit_code;
}

int Complain(const Status& why, std::ostream& err) {
  Say(why.message(), err);
  return ExitCodeOf(why.code());
}

}  // namespace tacho
