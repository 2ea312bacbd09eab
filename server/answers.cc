#include "server/answers.h"

#include <fmt/format.h>

namespace tacho {

Result<Json> Answers::Answer(const std::string& question, const Json& arguments,
                             const std::string& asker) {
  const WorkInHand::Piece answering(work_);
  TACHO_TRY(people_.Allows(asker, Role::kViewer));
  std::string known;
  for (const Query* query : AllQuerys()) {
    if (query->name == question) {
      TACHO_TRY(people_.Allows(asker, query->needs));
      Arguments reader(arguments);
      QueryContext context = context_;
      context.asker = asker;
      return query->answer(context, reader);
    }
    known += (known.empty() ? "" : ", ") + std::string(query->name);
  }
  return Status(
      Code::kNotFound,
      fmt::format("this server does not know the question \"{}\"; it knows {}", question, known));
}

}  // namespace tacho
