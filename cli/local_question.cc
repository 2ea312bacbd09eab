// Asks this robot's recorder one question on behalf of a command.
#include "cli/local_question.h"

#include <string>
#include <utility>

#include "cli/values.h"

namespace tacho {

Result<Json> AskLocal(CommandContext& context, const Json& request) {
  auto client = context.connect_recorder();
  if (!client.ok()) return std::move(client).status();
  return (*client)->Ask(request);
}

AnswerPage RunChangedPage(const Json& answer, const std::string& sentence) {
  AnswerPage page;
  page.json = answer;
  Section text{.where = Where::kTextOnly};
  text.lines = {sentence + "."};
  Section data{.tag = "run", .where = Where::kDataOnly};
  data.table.columns = {{.name = "run"}};
  data.table.rows = {{WordCell(answer["run"])}};
  page.sections = {std::move(text), std::move(data)};
  if (answer["ram"].AsBool()) {
    page.warnings.emplace_back(
        "The disk refuses, so this is kept in memory only and is lost with the power. See "
        "`journalctl -u tachod`.");
  }
  return page;
}

}  // namespace tacho
