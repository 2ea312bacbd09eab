// Runs one command: its page to stdout, its complaint to stderr, and the exit code.
#include "cli/execute.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <utility>

#include "cli/exit_code.h"
#include "cli/render.h"
#include "cli/text.h"

namespace tacho {
namespace {

// CSV is one table under one header.
Status CheckFits(const AnswerPage& page, const Style& style) {
  const auto tables =
      std::count_if(page.sections.begin(), page.sections.end(),
                    [](const Section& section) { return section.where != Where::kTextOnly; });
  if (style.format != Format::kCsv || tables <= 1) return {};
  return {Code::kInvalid,
          "This answer has several tables, and CSV holds one. Choose one with --section, or use "
          "-o tsv, which names the table in each row's first field."};
}

Result<AnswerPage> RunChecked(const Command& command, const CommandArguments& arguments,
                              CommandContext& context) {
  TACHO_TRY(CheckRequired(command.arguments, arguments));
  TACHO_TRY(CheckRepeated(command.options, arguments));
  auto page = command.run(arguments, context);
  if (page.ok()) TACHO_TRY(CheckFits(*page, context.style));
  return page;
}

}  // namespace

int Execute(const Command& command, const CommandArguments& arguments, CommandContext& context,
            std::ostream& out, std::ostream& err) {
  auto page = RunChecked(command, arguments, context);
  if (const Status* why = page.error()) {
    const int code = Complain(*why, err);
    if (code == kExitUsage) err << fmt::format("Try `tacho {} --help`.\n", command.path);
    return code;
  }
  const Rendered rendered = Render(*page, context.style);
  err << rendered.notes << std::flush;
  out << rendered.out << std::flush;
  if (!out) {
    return Complain(Status(Code::kInternal, "The answer could not be written to stdout."), err);
  }
  return page->exit_code;
}

int Complain(const Status& why, std::ostream& err) {
  err << "tacho: " << Printable(why.message()) << '\n';
  return ExitCodeOf(why.code());
}

}  // namespace tacho
