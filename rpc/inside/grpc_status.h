// Between gRPC's status and ours.
#pragma once

#include <string_view>

#include <grpcpp/support/status.h>

#include "common/status.h"

namespace tacho {

grpc::Status ToGrpc(const Status& status);
// A refused handshake becomes kDenied: gRPC calls it unavailable, but no later try can succeed.
Status FromGrpc(const grpc::Status& status);

}  // namespace tacho
