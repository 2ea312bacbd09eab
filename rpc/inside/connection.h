// One stream to the server on the loop's completion queue, from connecting to its last event.
#pragma once

#include <cstdint>
#include <deque>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <memory>
#include <optional>
#include <string_view>

#include "rpc/down.h"
#include "rpc/grpc_link.h"
#include "rpc/inside/queue.h"
#include "rpc/inside/socket_count.h"
#include "rpc/link.h"
#include "tacho/v1/telemetry.grpc.pb.h"

namespace tacho {

// Whom a connection reports to. Loop thread.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  virtual void OnMessage(const Down& message) = 0;
  // The last call; the connection is about to delete itself.
  virtual void OnEnd(const Status& why) = 0;
};

// Deletes itself when gRPC has returned every operation: only gRPC knows when that is. Loop thread.
class Connection {
 public:
  Connection(CqLoop& loop, const std::shared_ptr<grpc::Channel>& channel, const LinkLimits& limits,
             ConnectionOwner& owner);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Start(const Hello& hello);
  void Write(v1::Up message);
  // Writes what waits, then the goodbye; a server that does not answer with the end is cut off.
  void SayGoodbye(std::string_view reason);
  // Ends it at once; nothing is reported from now on.
  void Abandon();
  std::uint64_t bytes() const;

 private:
  class Operation final : public Completion {
   public:
    Operation(Connection& at, void (Connection::*then)(bool)) : at_(at), then_(then) {}
    void OnComplete(bool is_ok) override { at_.Complete(then_, is_ok); }

   private:
    Connection& at_;
    void (Connection::*then_)(bool);
  };

  ~Connection() { --loop_.queue().connections; }
  void* Begin(Operation& operation);
  void Complete(void (Connection::*then)(bool), bool is_ok);
  void OnStarted(bool is_ok);
  void OnRead(bool is_ok);
  void OnWritten(bool is_ok);
  void OnHalfClosed(bool is_ok);
  void OnFinished(bool is_ok);
  void WriteNext();
  void Finish();
  void CancelFor(const Status& why);
  void Tell(const Down& message);

  CqLoop& loop_;
  const LinkLimits limits_;
  ConnectionOwner* owner_;
  std::unique_ptr<v1::Telemetry::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::Up, v1::Down>> stream_;
  Operation started_{*this, &Connection::OnStarted};
  Operation read_{*this, &Connection::OnRead};
  Operation written_{*this, &Connection::OnWritten};
  Operation half_closed_{*this, &Connection::OnHalfClosed};
  Operation finished_{*this, &Connection::OnFinished};
  int pending_ = 0;

  v1::Down in_;
  std::deque<v1::Up> out_;  // the front is being written; bounded by the link's window
  grpc::Status end_;
  std::optional<Status> why_cancelled_;
  bool is_started_ = false;
  bool is_writing_ = false;
  bool is_closing_ = false;
  bool is_finishing_ = false;
  bool is_over_ = false;

  std::unique_ptr<Scheduler::Timer> patience_;
  std::optional<SocketCount> socket_;
  std::uint64_t message_bytes_ = 0;
};

}  // namespace tacho
