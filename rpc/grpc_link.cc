#include "rpc/grpc_link.h"

#include <limits>
#include <utility>

#include "rpc/inside/connection.h"
#include "rpc/inside/convert.h"
#include "rpc/inside/credentials.h"
#include "rpc/inside/flight.h"

namespace tacho {

namespace {

// Tuned for one long stream that is mostly silent: no idle timer, no bandwidth probing, no resolver
// for service configs. Backoff is the uplink's, not the channel's.
grpc::ChannelArguments RobotArguments() {
  constexpr int kConnectWithinMs = 10'000;
  constexpr int kKeepaliveMs = 30'000;  // longer than a batch interval: seldom needed
  constexpr int kKeepaliveTimeoutMs = 20'000;
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_CLIENT_IDLE_TIMEOUT_MS, std::numeric_limits<int>::max());
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectWithinMs);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_CHANNELZ, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  // A new channel starts afresh, without the last one's failed attempts.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(kMaxMessageBytes));
  arguments.SetMaxSendMessageSize(static_cast<int>(kMaxMessageBytes));
  return arguments;
}

class GrpcLink final : public Link, private ConnectionOwner {
 public:
  GrpcLink(CqLoop& loop, Endpoint endpoint, LinkLimits limits)
      : loop_(loop), endpoint_(std::move(endpoint)), limits_(limits) {}
  ~GrpcLink() override {
    if (connection_ != nullptr) connection_->Abandon();
  }

  void Open(const Hello& hello, LinkEvents& events) override;
  bool Send(const Record& record) override;
  void Close(std::string_view reason) override {
    if (connection_ != nullptr) connection_->SayGoodbye(reason);
    is_welcome_ = false;
  }
  std::uint64_t bytes_on_wire() const override {
    return bytes_before_ + (connection_ != nullptr ? connection_->bytes() : 0);
  }

 private:
  void OnMessage(const Down& message) override;
  void OnEnd(const Status& why) override;
  bool HasRoomFor(const Record& record) const;

  CqLoop& loop_;
  const Endpoint endpoint_;
  const LinkLimits limits_;
  LinkEvents* events_ = nullptr;
  Connection* connection_ = nullptr;  // owns itself; cleared by OnEnd
  Flight flight_;
  bool is_welcome_ = false;
  std::uint64_t bytes_before_ = 0;
  std::unique_ptr<Scheduler::Timer> failure_;
};

void GrpcLink::Open(const Hello& hello, LinkEvents& events) {
  events_ = &events;
  flight_ = Flight();
  is_welcome_ = false;
  auto channel = ConnectChannel(endpoint_, RobotArguments());
  if (!channel.ok()) {
    failure_ = loop_.After(Nanos(0), [this, why = std::move(channel).status()] { OnEnd(why); });
    return;
  }
  connection_ = new Connection(loop_, *channel, limits_, *this);
  connection_->Start(hello);
}

bool GrpcLink::HasRoomFor(const Record& record) const {
  if (flight_.records() == 0) return true;
  return flight_.records() < limits_.in_flight_records &&
         flight_.bytes() + record.payload.size() <= limits_.in_flight_bytes;
}

bool GrpcLink::Send(const Record& record) {
  if (!is_welcome_ || !HasRoomFor(record)) return false;
  flight_.Add(record);
  connection_->Write(ToWire(record));
  return true;
}

void GrpcLink::OnMessage(const Down& message) {
  struct Teller {
    GrpcLink& link;
    void operator()(const Welcome& welcome) const {
      link.is_welcome_ = true;
      link.events_->OnWelcome(welcome);
    }
    void operator()(const Ack& ack) const {
      link.flight_.Land(ack.committed);
      link.events_->OnAck(ack.committed);
    }
    void operator()(const Refused& refused) const {
      Committed answered{refused.stream, {}};
      answered.ranges.Add(refused.seqs);
      link.flight_.Land(answered);
      link.events_->OnRefused(refused.stream, refused.seqs, refused.why, refused.committed);
    }
    void operator()(const Throttle& throttle) const { link.events_->OnThrottle(throttle.pause); }
  };
  std::visit(Teller{*this}, message);
}

void GrpcLink::OnEnd(const Status& why) {
  if (connection_ != nullptr) bytes_before_ += connection_->bytes();
  connection_ = nullptr;
  is_welcome_ = false;
  flight_ = Flight();
  events_->OnClosed(why);
}

}  // namespace

std::unique_ptr<Link> MakeGrpcLink(CqLoop& loop, Endpoint endpoint, LinkLimits limits) {
  return std::make_unique<GrpcLink>(loop, std::move(endpoint), limits);
}

}  // namespace tacho
