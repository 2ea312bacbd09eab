// The listening end of both services.
#include <chrono>
#include <fmt/format.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "rpc/fleet.h"
#include "rpc/inside/convert.h"
#include "rpc/inside/credentials.h"
#include "rpc/inside/fleet_service.h"
#include "rpc/inside/open_streams.h"
#include "rpc/inside/telemetry_reactor.h"
#include "rpc/telemetry_service.h"

namespace tacho {

namespace {

constexpr std::size_t kMaxStreams = 4096;
constexpr std::size_t kMemoryBytes = 512u << 20;
constexpr std::chrono::seconds kShutdownWithin{5};
// Answers are far larger than anything a robot may send; what a robot sends is checked apart.
constexpr int kMaxSendBytes = static_cast<int>(kMaxAnswerBytes) + 1024;

class TelemetryService final : public v1::Telemetry::CallbackService {
 public:
  TelemetryService(TelemetryHandler& handler, OpenStreams& streams, Nanos hello_within)
      : handler_(handler), streams_(streams), hello_within_(hello_within) {}
  grpc::ServerBidiReactor<v1::Up, v1::Down>* Stream(grpc::CallbackServerContext* context) override {
    return new TelemetryReactor(*context, handler_, streams_, hello_within_);  // deletes itself
  }

 private:
  TelemetryHandler& handler_;
  OpenStreams& streams_;
  const Nanos hello_within_;
};

class GrpcServer final : public RpcServer {
 public:
  GrpcServer(TelemetryHandler& telemetry, FleetHandler& fleet, const RpcLimits& limits)
      : telemetry_(telemetry, streams_, limits.hello_within),
        fleet_(fleet, limits.question_within) {}
  ~GrpcServer() override {
    if (server_ == nullptr) return;
    streams_.EndAll(Status(Code::kUnavailable, "the server is stopping"));
    server_->Shutdown(std::chrono::system_clock::now() + kShutdownWithin);
    streams_.WaitUntilNone();
  }

  Status Start(const Endpoint& endpoint);
  int port() const override { return port_; }

 private:
  // In the order of their start: the server is the first to go.
  OpenStreams streams_{kMaxStreams};
  TelemetryService telemetry_;
  FleetService fleet_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

void Limit(grpc::ServerBuilder& builder) {
  // Below the robots' keep-alive (30 s), or their pings would count as abuse.
  constexpr int kLeastPingMs = 10'000;
  constexpr int kMostIdleMs = 20'000;
  // A robot has one, a command line a few.
  constexpr int kMostCallsOfAConnection = 64;
  grpc::ResourceQuota quota("tacho-server");
  quota.Resize(kMemoryBytes);
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(static_cast<int>(kMaxMessageBytes));
  builder.SetMaxSendMessageSize(kMaxSendBytes);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kLeastPingMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  // A robot's stream is open for as long as it lives; a connection without one has nothing to say.
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, kMostIdleMs);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostCallsOfAConnection);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_CHANNELZ, 0);
  // Two servers on one port would share the robots between them at random.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

Status GrpcServer::Start(const Endpoint& endpoint) {
  auto credentials = CredentialsOf(endpoint);
  if (!credentials.ok()) return std::move(credentials).status();
  grpc::ServerBuilder builder;
  Limit(builder);
  builder.AddListeningPort(endpoint.address, *credentials, &port_);
  builder.RegisterService(&telemetry_);
  builder.RegisterService(&fleet_);
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) {
    return Status(Code::kUnavailable,
                  fmt::format("cannot listen on {}: the address is in use, not ours, or the "
                              "certificate and key do not belong together",
                              endpoint.address));
  }
  // gRPC gives the port 1 to a unix socket.
  if (endpoint.address.starts_with("unix")) port_ = 0;
  return Status();
}

}  // namespace

Result<std::unique_ptr<RpcServer>> Listen(const Endpoint& endpoint, TelemetryHandler& telemetry,
                                          FleetHandler& fleet, RpcLimits limits) {
  auto server = std::make_unique<GrpcServer>(telemetry, fleet, limits);
  TACHO_TRY(server->Start(endpoint).Under("server"));
  return std::unique_ptr<RpcServer>(std::move(server));
}

}  // namespace tacho
