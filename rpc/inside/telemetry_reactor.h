// The server's end of one robot's stream: a thin shim between gRPC's callbacks and the handover.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <memory>
#include <string>

#include "rpc/handover.h"
#include "rpc/inside/convert.h"
#include "rpc/inside/open_streams.h"
#include "rpc/telemetry_service.h"
#include "tacho/v1/telemetry.grpc.pb.h"

namespace tacho {

// What the ingest holds of a stream. Outlives gRPC's part: after Finish it only counts.
class HandoverStream final : public RobotStream {
 public:
  explicit HandoverStream(HandoverWriter& writer);
  void SendWelcome(const Welcome& welcome) override { handover.Push(welcome); }
  void SendAck(const Committed& committed) override { handover.Push(Ack{committed}); }
  void SendRefused(const StreamKey& stream, SeqRange seqs, const Status& why,
                   const Committed& committed) override {
    handover.Push(Refused{stream, seqs, why, committed});
  }
  void SendThrottle(Nanos pause) override { handover.Push(Throttle{pause}); }
  void End(const Status& why) override { handover.End(why); }

  Handover handover;
};

// Deletes itself in OnDone, as gRPC wants it. Reactions come one after the other, but for
// OnWriteDone.
class TelemetryReactor final : public grpc::ServerBidiReactor<v1::Up, v1::Down>,
                               private HandoverWriter {
 public:
  TelemetryReactor(grpc::CallbackServerContext& context, TelemetryHandler& handler,
                   OpenStreams& streams, Nanos hello_within);

 private:
  void OnReadDone(bool is_ok) override;
  void OnWriteDone(bool is_ok) override;
  void OnCancel() override;
  void OnDone() override;

  void StartWrite(Down message) override;
  void Finish(const Status& why) override;

  Status Take();
  Status TakeFirst(Up message);
  void TakeRecord();

  TelemetryHandler& handler_;
  OpenStreams& streams_;
  const std::string peer_name_;
  // Shared with the ingest, whose threads may hold it for longer.
  const std::shared_ptr<HandoverStream> stream_;
  grpc::Alarm hello_due_;
  v1::Up in_;
  v1::Down out_;
  bool is_welcome_ = false;  // handed to the handler, which must hear OnGone
};

}  // namespace tacho
