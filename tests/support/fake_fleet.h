// A fleet server that answers from a table and remembers what it was asked.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rpc/fleet.h"

namespace tacho {

// The client that it hands out refers to it, so it must outlive them.
class FakeFleet {
 public:
  struct Question {
    std::string name;
    Json arguments;
  };

  void Answer(const std::string& question, Result<Json> answer) {
    answers_.insert_or_assign(question, std::move(answer));
  }
  std::unique_ptr<FleetClient> Connect() { return std::make_unique<Client>(*this); }
  const std::vector<Question>& asked() const { return asked_; }

 private:
  class Client final : public FleetClient {
   public:
    explicit Client(FakeFleet& fleet) : fleet_(fleet) {}
    Result<Json> Ask(const std::string& question, const Json& arguments,
                     Nanos /*patience*/) override {
      fleet_.asked_.push_back({question, arguments});
      const auto found = fleet_.answers_.find(question);
      if (found == fleet_.answers_.end()) {
        return Status(Code::kUnsupported, "The fake fleet has no answer to '" + question + "'.");
      }
      return found->second;
    }

   private:
    FakeFleet& fleet_;
  };

  std::map<std::string, Result<Json>> answers_;
  std::vector<Question> asked_;
};

}  // namespace tacho
