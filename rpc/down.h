// The messages from server to robot, as plain values.
#pragma once

#include <string>
#include <variant>

#include "common/ids.h"
#include "common/status.h"
#include "common/time.h"
#include "rpc/link.h"

namespace tacho {

struct Ack {
  Committed committed;
};

struct Refused {
  StreamKey stream;
  SeqRange seqs;
  Status why;
  Committed committed;
};

struct Throttle {
  Nanos pause{};
};

using Down = std::variant<Welcome, Ack, Refused, Throttle>;

}  // namespace tacho
