// Answers the fleet's questions from the table of queries.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "common/work_in_hand.h"
#include "rpc/fleet.h"
#include "server/query.h"

namespace tacho {

class Answers final : public FleetHandler {
 public:
  // `people` outlives it.
  Answers(QueryContext context, const People& people)
      : context_(std::move(context)), people_(people), work_(context_.clock) {}
  // kNotFound names the questions that are known; kDenied before anything is looked at.
  Result<Json> Answer(const std::string& question, const Json& arguments,
                      const std::string& asker) override;
  // Since when the oldest unanswered question has been worked on. Any thread.
  std::optional<BootTime> busy_since() const { return work_.since(); }

 private:
  const QueryContext context_;
  const People& people_;
  WorkInHand work_;
};

}  // namespace tacho
