#include "rpc/inside/telemetry_reactor.h"

#include <chrono>
#include <utility>

#include <grpcpp/security/auth_context.h>

#include "rpc/inside/convert.h"
#include "rpc/inside/grpc_status.h"
#include "rpc/inside/peer_name.h"

namespace tacho {

namespace {

// Of one robot: acks of a full window, refused ones and throttles, with room to spare.
constexpr std::size_t kMaxWaiting = 1024;

}  // namespace

HandoverStream::HandoverStream(HandoverWriter& writer) : handover(writer, kMaxWaiting) {}

TelemetryReactor::TelemetryReactor(grpc::CallbackServerContext& context, TelemetryHandler& handler,
                                   OpenStreams& streams, Nanos hello_within)
    : handler_(handler),
      streams_(streams),
      peer_name_(PeerName(*context.auth_context())),
      stream_(std::make_shared<HandoverStream>(static_cast<HandoverWriter&>(*this))) {
  if (!streams_.Add(stream_)) {
    stream_->End(Status(Code::kUnavailable, "the server has as many streams as it takes"));
    return;
  }
  const auto due = std::chrono::system_clock::now() +
                   std::chrono::duration_cast<std::chrono::microseconds>(hello_within);
  hello_due_.Set(due, [stream = stream_](bool is_due) {
    if (is_due) stream->End(Status(Code::kTimeout, "the Hello never came"));
  });
  StartRead(&in_);
}

void TelemetryReactor::OnReadDone(bool is_ok) {
  if (!is_ok) {
    stream_->handover.Abandon(Status(Code::kUnavailable, "the robot ended the stream"));
    return;
  }
  if (auto status = Take(); !status.ok()) {
    stream_->End(status);
    return;
  }
  StartRead(&in_);
}

Status TelemetryReactor::Take() {
  if (is_welcome_ && in_.has_record()) {
    TakeRecord();
    return Status();
  }
  auto message = FromWire(std::as_const(in_));
  if (!message.ok()) return std::move(message).status();
  if (!is_welcome_) return TakeFirst(*std::move(message));
  if (const auto* goodbye = std::get_if<Goodbye>(&*message)) {
    handler_.OnGoodbye(*stream_, goodbye->reason);
    stream_->End(Status());
    return Status();
  }
  return Status(Code::kInvalid, "a second Hello");
}

Status TelemetryReactor::TakeFirst(Up message) {
  const auto* hello = std::get_if<Hello>(&message);
  if (hello == nullptr) return Status(Code::kInvalid, "the first message must be Hello");
  hello_due_.Cancel();
  is_welcome_ = true;
  handler_.OnHello(stream_, *hello, peer_name_);
  return Status();
}

void TelemetryReactor::TakeRecord() {
  auto message = FromWire(std::as_const(in_));
  if (message.ok()) {
    handler_.OnRecord(*stream_, std::get<Record>(*std::move(message)));
    return;
  }
  Status why = std::move(message).status();
  if (const auto name = NameOf(in_.record())) {
    stream_->SendRefused(name->stream, name->seqs, why, Committed{name->stream, {}});
  } else {
    stream_->End(why);
  }
}

void TelemetryReactor::OnWriteDone(bool is_ok) {
  stream_->handover.Written(is_ok);
}

void TelemetryReactor::OnCancel() {
  stream_->handover.Abandon(Status(Code::kCancelled, "the robot is gone"));
}

void TelemetryReactor::OnDone() {
  hello_due_.Cancel();
  if (is_welcome_) handler_.OnGone(*stream_);
  OpenStreams& streams = streams_;
  const std::shared_ptr<HandoverStream> stream = stream_;
  delete this;
  // Last: the server may be destroyed as soon as its streams are gone.
  streams.Remove(stream);
}

void TelemetryReactor::StartWrite(Down message) {
  out_ = ToWire(message);
  grpc::ServerBidiReactor<v1::Up, v1::Down>::StartWrite(&out_);
}

void TelemetryReactor::Finish(const Status& why) {
  grpc::ServerBidiReactor<v1::Up, v1::Down>::Finish(ToGrpc(why));
}

}  // namespace tacho
