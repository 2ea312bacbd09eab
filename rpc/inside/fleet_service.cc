// Reads each question within a limit, then has it answered.
#include "rpc/inside/fleet_service.h"

#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <grpcpp/alarm.h>
#include <memory>
#include <utility>

#include "rpc/inside/convert.h"
#include "rpc/inside/grpc_status.h"
#include "rpc/inside/peer_name.h"

namespace tacho {

namespace {

constexpr std::size_t kThreads = 2;
constexpr std::size_t kMaxWaiting = 64;
constexpr std::size_t kMaxNameBytes = 64;

// One call. Whoever settles it, the question or the deadline, calls Finish; gRPC keeps context and
// answer until then. Deletes itself in OnDone, as gRPC wants it.
class Asking final : public grpc::ServerReadReactor<v1::Question> {
 public:
  Asking(FleetService& service, grpc::CallbackServerContext& context, v1::Answer& answer,
         Nanos within)
      : service_(service), asker_(PeerName(*context.auth_context())), answer_(answer) {
    const auto due = std::chrono::system_clock::now() +
                     std::chrono::duration_cast<std::chrono::microseconds>(within);
    due_.Set(due, [this, is_settled = is_settled_](bool is_due) {
      if (is_due && !is_settled->exchange(true)) End({Code::kTimeout, "the question never came"});
    });
    StartRead(&question_);
  }

 private:
  void OnReadDone(bool is_ok) override {
    if (is_settled_->exchange(true)) return;
    due_.Cancel();
    if (!is_ok) return End({Code::kInvalid, "the call ended without a question"});
    const bool is_queued =
        service_.workers().TryRun([this] { End(service_.Answer(question_, asker_, answer_)); });
    if (!is_queued) {
      End({Code::kExhausted, fmt::format("{} questions wait already", kMaxWaiting)});
    }
  }
  void OnDone() override { delete this; }
  void End(const Status& status) { Finish(ToGrpc(status)); }

  FleetService& service_;
  const std::string asker_;
  v1::Answer& answer_;
  v1::Question question_;
  // shared: the alarm may run after this is gone, and then must not touch it.
  const std::shared_ptr<std::atomic<bool>> is_settled_ = std::make_shared<std::atomic<bool>>(false);
  grpc::Alarm due_;
};

}  // namespace

FleetService::FleetService(FleetHandler& handler, Nanos within)
    : handler_(handler), within_(within), workers_(kThreads, kMaxWaiting) {}

grpc::ServerReadReactor<v1::Question>* FleetService::Ask(grpc::CallbackServerContext* context,
                                                         v1::Answer* answer) {
  return new Asking(*this, *context, *answer, within_);  // deletes itself
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
