// Answers the fleet's questions from the table of queries.
#pragma once

#include <string>
#include <utility>

#include "rpc/fleet.h"
#include "server/query.h"

namespace tacho {

class Answers final : public FleetHandler {
 public:
  // `people` outlives it.
  Answers(QueryContext context, const People& people)
      : context_(std::move(context)), people_(people) {}
  // kNotFound names the questions that are known; kDenied before anything is looked at.
  Result<Json> Answer(const std::string& question, const Json& arguments,
                      const std::string& asker) override;

 private:
  const QueryContext context_;
  const People& people_;
};

}  // namespace tacho
