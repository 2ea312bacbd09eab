#include "rpc/inside/fleet_service.h"

#include <fmt/format.h>
#include <utility>

#include "rpc/inside/convert.h"
#include "rpc/inside/grpc_status.h"
#include "rpc/inside/peer_name.h"

namespace tacho {

namespace {

constexpr std::size_t kThreads = 2;
constexpr std::size_t kMaxWaiting = 64;
constexpr std::size_t kMaxNameBytes = 64;

}  // namespace

FleetService::FleetService(FleetHandler& handler)
    : handler_(handler), workers_(kThreads, kMaxWaiting) {}

// gRPC keeps context, question and answer until Finish.
grpc::ServerUnaryReactor* FleetService::Ask(grpc::CallbackServerContext* context,
                                            const v1::Question* question, v1::Answer* answer) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  const bool is_queued = workers_.TryRun([this, context, question, answer, reactor] {
    reactor->Finish(ToGrpc(Answer(*question, PeerName(*context->auth_context()), *answer)));
  });
  if (!is_queued) {
    reactor->Finish(
        ToGrpc(Status(Code::kExhausted, fmt::format("{} questions wait already", kMaxWaiting))));
  }
  return reactor;
}

Status FleetService::Answer(const v1::Question& question, const std::string& asker,
                            v1::Answer& answer) {
  if (question.name().size() > kMaxNameBytes ||
      question.arguments_json().size() > kMaxQuestionBytes) {
    return Status(Code::kExhausted, "the question is too long");
  }
  Json arguments;
  if (!question.arguments_json().empty()) {
    auto parsed = Json::Parse(question.arguments_json());
    if (!parsed.ok()) return std::move(parsed).status().Under("arguments");
    arguments = *std::move(parsed);
  }
  auto result = handler_.Answer(question.name(), arguments, asker);
  if (!result.ok()) return std::move(result).status();
  std::string json = result->Dump();
  if (json.size() > kMaxAnswerBytes) {
    return Status(Code::kExhausted,
                  fmt::format("the answer has {} bytes, at most {} are sent: ask for less",
                              json.size(), kMaxAnswerBytes));
  }
  answer.set_json(std::move(json));
  return Status();
}

}  // namespace tacho
