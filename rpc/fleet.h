// Questions to the fleet server and their answers: a name, arguments and JSON, both ways
// (docs/adr/0013).
#pragma once

#include <memory>
#include <string>

#include "common/json.h"
#include "common/status.h"
#include "common/time.h"
#include "rpc/endpoint.h"

namespace tacho {

// The server's side: answers one question. Any thread.
class FleetHandler {
 public:
  virtual ~FleetHandler() = default;
  // `asker` is the certificate's name, empty on a plain connection.
  virtual Result<Json> Answer(const std::string& question, const Json& arguments,
                              const std::string& asker) = 0;
};

// The command line's side.
class FleetClient {
 public:
  virtual ~FleetClient() = default;
  // kUnavailable when the server cannot be reached within `patience`, kDenied when it does not know
  // us.
  virtual Result<Json> Ask(const std::string& question, const Json& arguments, Nanos patience) = 0;
};

Result<std::unique_ptr<FleetClient>> ConnectFleet(const Endpoint& endpoint);

class TelemetryHandler;

// The server's listening end of both services. Destroying it ends every stream within 5 s.
class RpcServer {
 public:
  virtual ~RpcServer() = default;
  virtual int port()
      const = 0;  // the one chosen when the address ended in ":0"; 0 for a unix socket
};

// How long who has called may stay silent.
struct RpcLimits {
  Nanos hello_within = std::chrono::seconds(10);
  Nanos question_within = std::chrono::seconds(10);
};

Result<std::unique_ptr<RpcServer>> Listen(const Endpoint& endpoint, TelemetryHandler& telemetry,
                                          FleetHandler& fleet, RpcLimits limits = {});

}  // namespace tacho
