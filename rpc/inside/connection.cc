#include "rpc/inside/connection.h"

#include <fmt/format.h>
#include <utility>

#include "rpc/inside/convert.h"
#include "rpc/inside/grpc_status.h"

namespace tacho {

namespace {

// gRPC's prefix of a message and the header of an HTTP/2 frame.
constexpr std::uint64_t kFramingBytes = 5 + 9;

}  // namespace

Connection::Connection(CqLoop& loop, const std::shared_ptr<grpc::Channel>& channel,
                       const LinkLimits& limits, ConnectionOwner& owner)
    : loop_(loop), limits_(limits), owner_(&owner), stub_(v1::Telemetry::NewStub(channel)) {
  ++loop_.queue().connections;
}

void Connection::Start(const Hello& hello) {
  out_.push_back(ToWire(hello));
  patience_ = loop_.After(limits_.welcome_within, [this] {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits_.welcome_within);
    CancelFor(Status(Code::kUnavailable,
                     fmt::format("the server said no welcome within {} s", seconds.count())));
  });
  stream_ = stub_->PrepareAsyncStream(&context_, &loop_.queue().events);
  stream_->StartCall(Begin(started_));
}

void Connection::Write(v1::Up message) {
  out_.push_back(std::move(message));
  WriteNext();
}

void Connection::SayGoodbye(std::string_view reason) {
  if (is_closing_) return;
  is_closing_ = true;
  patience_ = loop_.After(limits_.goodbye_within, [this] { CancelFor(Status()); });
  Write(ToWire(Goodbye{std::string(reason)}));
}

void Connection::Abandon() {
  owner_ = nullptr;
  patience_.reset();
  context_.TryCancel();
}

std::uint64_t Connection::bytes() const {
  return socket_ ? socket_->bytes() : message_bytes_;
}

void* Connection::Begin(Operation& operation) {
  ++pending_;
  return static_cast<Completion*>(&operation);
}

void Connection::Complete(void (Connection::*then)(bool), bool is_ok) {
  --pending_;
  (this->*then)(is_ok);
  if (is_over_ && pending_ == 0) delete this;
}

void Connection::OnStarted(bool is_ok) {
  if (!is_ok) return Finish();
  is_started_ = true;
  stream_->Read(&in_, Begin(read_));
  WriteNext();
}

void Connection::OnRead(bool is_ok) {
  if (!is_ok) return Finish();
  message_bytes_ += in_.ByteSizeLong() + kFramingBytes;
  auto message = FromWire(std::as_const(in_));
  if (!message.ok()) {
    CancelFor(std::move(message).status().Under("the server's message"));
  } else if (*message) {
    Tell(**message);
  }
  stream_->Read(&in_, Begin(read_));
}

void Connection::OnWritten(bool is_ok) {
  is_writing_ = false;
  // The end of the reading side says why.
  if (!is_ok) return;
  message_bytes_ += out_.front().ByteSizeLong() + kFramingBytes;
  out_.pop_front();
  WriteNext();
}

void Connection::OnHalfClosed(bool) {}

void Connection::OnFinished(bool) {
  is_over_ = true;
  patience_.reset();
  if (owner_ != nullptr) owner_->OnEnd(why_cancelled_ ? *why_cancelled_ : FromGrpc(end_));
}

void Connection::WriteNext() {
  if (!is_started_ || is_writing_ || is_finishing_) return;
  if (!out_.empty()) {
    is_writing_ = true;
    stream_->Write(out_.front(), Begin(written_));
  } else if (is_closing_) {
    stream_->WritesDone(Begin(half_closed_));
  }
}

void Connection::Finish() {
  if (std::exchange(is_finishing_, true)) return;
  stream_->Finish(&end_, Begin(finished_));
}

void Connection::CancelFor(const Status& why) {
  if (!why_cancelled_) why_cancelled_ = why;
  context_.TryCancel();
}

void Connection::Tell(const Down& message) {
  if (!socket_) {
    if (auto found = SocketCount::Find(context_.peer())) socket_.emplace(*std::move(found));
  }
  if (std::holds_alternative<Welcome>(message) && !is_closing_) patience_.reset();
  if (owner_ != nullptr) owner_->OnMessage(message);
}

}  // namespace tacho
