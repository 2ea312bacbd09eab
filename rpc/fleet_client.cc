// Asks the fleet server one question at a time.
#include <chrono>
#include <fmt/format.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <memory>
#include <string>
#include <utility>

#include "rpc/fleet.h"
#include "rpc/inside/convert.h"
#include "rpc/inside/credentials.h"
#include "rpc/inside/grpc_status.h"
#include "tacho/v1/telemetry.grpc.pb.h"

namespace tacho {

namespace {

class GrpcFleetClient final : public FleetClient {
 public:
  GrpcFleetClient(std::shared_ptr<grpc::Channel> channel, std::string address)
      : channel_(std::move(channel)),
        address_(std::move(address)),
        stub_(v1::Fleet::NewStub(channel_)) {}

  Result<Json> Ask(const std::string& question, const Json& arguments, Nanos patience) override;

 private:
  Status Explain(const grpc::Status& status) const;

  const std::shared_ptr<grpc::Channel> channel_;  // shared: gRPC's own way to hold it
  const std::string address_;
  const std::unique_ptr<v1::Fleet::Stub> stub_;
};

Result<Json> GrpcFleetClient::Ask(const std::string& question, const Json& arguments,
                                  Nanos patience) {
  v1::Question request;
  request.set_name(question);
  if (!arguments.is_null()) request.set_arguments_json(arguments.Dump());
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::duration_cast<std::chrono::microseconds>(patience));
  v1::Answer answer;
  const auto call = stub_->Ask(&context, &answer);
  // A question that cannot be written is ignored here since Finish tells why.
  (void)call->Write(request, grpc::WriteOptions().set_last_message());
  if (const auto status = call->Finish(); !status.ok()) return Explain(status);
  auto json = Json::Parse(answer.json());
  if (!json.ok()) return std::move(json).status().Under("the server's answer");
  return json;
}

Status GrpcFleetClient::Explain(const grpc::Status& status) const {
  Status why = FromGrpc(status);
  const bool is_connected = channel_->GetState(false) == GRPC_CHANNEL_READY;
  if (why.code() == Code::kTimeout && !is_connected) {
    why = Status(Code::kUnavailable, "no answer in time");
  }
  if (why.code() == Code::kUnavailable) {
    return std::move(why).Under(fmt::format("cannot reach the server at {}", address_));
  }
  return why;
}

}  // namespace

Result<std::unique_ptr<FleetClient>> ConnectFleet(const Endpoint& endpoint) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(static_cast<int>(kMaxAnswerBytes) + 1024);
  auto channel = ConnectChannel(endpoint, arguments);
  if (!channel.ok()) return std::move(channel).status();
  return std::unique_ptr<FleetClient>(
      std::make_unique<GrpcFleetClient>(*std::move(channel), endpoint.address));
}

}  // namespace tacho
