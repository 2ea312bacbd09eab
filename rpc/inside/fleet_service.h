// Questions of the command line, answered on a few threads of their own.
#pragma once

#include <string>

#include "rpc/fleet.h"
#include "rpc/worker_pool.h"
#include "tacho/v1/telemetry.grpc.pb.h"

namespace tacho {

class FleetService final : public v1::Fleet::CallbackService {
 public:
  explicit FleetService(FleetHandler& handler);

  grpc::ServerUnaryReactor* Ask(grpc::CallbackServerContext* context, const v1::Question* question,
                                v1::Answer* answer) override;

 private:
  Status Answer(const v1::Question& question, const std::string& asker, v1::Answer& answer);

  FleetHandler& handler_;
  WorkerPool workers_;
};

}  // namespace tacho
