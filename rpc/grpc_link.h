// The real Link: one gRPC stream at a time, on the loop's own thread.
#pragma once

#include <cstddef>
#include <memory>

#include "common/time.h"
#include "rpc/cq_loop.h"
#include "rpc/endpoint.h"
#include "rpc/link.h"

namespace tacho {

struct LinkLimits {
  std::size_t in_flight_bytes =
      1u << 20;  // payload sent and not acknowledged; one record may be larger
  std::size_t in_flight_records = 64;
  Nanos welcome_within = std::chrono::seconds(20);
  Nanos goodbye_within = std::chrono::seconds(2);
};

// Certificates are read at each Open. The loop must outlive the link; destroying the link drops
// its connection without a word.
std::unique_ptr<Link> MakeGrpcLink(CqLoop& loop, Endpoint endpoint, LinkLimits limits = {});

}  // namespace tacho
