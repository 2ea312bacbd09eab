// The server's end of the robots' streams, without a gRPC word.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rpc/endpoint.h"
#include "rpc/link.h"

namespace tacho {

// One robot's open stream, as the ingest sees it. Any thread; each call is queued and returns at
// once.
class RobotStream {
 public:
  virtual ~RobotStream() = default;
  virtual void SendWelcome(const Welcome& welcome) = 0;
  virtual void SendAck(const Committed& committed) = 0;
  virtual void SendRefused(const StreamKey& stream, SeqRange seqs, const Status& why,
                           const Committed& committed) = 0;
  virtual void SendThrottle(Nanos pause) = 0;
  // Ends the stream with `why`; OnGone follows. Later calls do nothing.
  virtual void End(const Status& why) = 0;
};

// What the ingest gives to rpc/. Calls about one stream come one after the other, on gRPC's
// threads: OnHello first, OnGone last. Of a list of committed ranges only the oldest
// kMaxRanges travel: an ack must name what was just committed, and need not name more.
class TelemetryHandler {
 public:
  virtual ~TelemetryHandler() = default;
  // `peer_name` is the certificate's name, empty on a plain connection. The stream lives until the
  // handler lets go of the pointer and OnGone was called (shared: gRPC decides the end).
  virtual void OnHello(std::shared_ptr<RobotStream> stream, const Hello& hello,
                       const std::string& peer_name) = 0;
  // `unacknowledged_limit` holds the reader back: rpc/ reads the next record only after this
  // returns.
  virtual void OnRecord(RobotStream& stream, Record record) = 0;
  virtual void OnGoodbye(RobotStream& stream, const std::string& reason) = 0;
  virtual void OnGone(RobotStream& stream) = 0;
};

}  // namespace tacho
