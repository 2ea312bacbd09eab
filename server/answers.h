// Answers the fleet's questions from the table of queries.
#pragma once

#include <string>

#include "rpc/fleet.h"
#include "server/query.h"

namespace tacho {

class Answers final : public FleetHandler {
 public:
  explicit Answers(QueryContext context) : context_(context) {}
  // kNotFound names the questions that are known.
  Result<Json> Answer(const std::string& question, const Json& arguments,
                      const std::string& asker) override;

 private:
  const QueryContext context_;
};

}  // namespace tacho
