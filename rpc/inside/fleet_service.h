// Questions of the command line, answered on a few threads of their own.
#pragma once

#include <grpcpp/server_context.h>
#include <string>

#include "common/time.h"
#include "rpc/fleet.h"
#include "rpc/worker_pool.h"
#include "tacho/v1/telemetry.grpc.pb.h"

namespace tacho {

class FleetService final : public v1::Fleet::CallbackService {
 public:
  // A call whose question has not come after `within` is ended.
  FleetService(FleetHandler& handler, Nanos within);

  grpc::ServerReadReactor<v1::Question>* Ask(grpc::CallbackServerContext* context,
                                             v1::Answer* answer) override;

  // Any thread.
  Status Answer(const v1::Question& question, const std::string& asker, v1::Answer& answer);
  WorkerPool& workers() { return workers_; }

 private:
  FleetHandler& handler_;
  const Nanos within_;
  WorkerPool workers_;
};

}  // namespace tacho
