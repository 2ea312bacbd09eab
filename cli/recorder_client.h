// Asks the recorder on this robot, over its unix socket, one JSON line at a time
// (docs/formats/local.md).
#pragma once

#include <filesystem>
#include <memory>

#include "common/json.h"
#include "common/status.h"
#include "common/time.h"

namespace tacho {

class RecorderClient {
 public:
  virtual ~RecorderClient() = default;
  // kUnavailable where the recorder does not answer, kDenied where we may not ask, kInternal with
  // the recorder's own sentence where it refuses.
  virtual Result<Json> Ask(const Json& request) = 0;
};

// Each question may take `patience` altogether. `clock` must outlive the client.
Result<std::unique_ptr<RecorderClient>> ConnectRecorder(const std::filesystem::path& socket,
                                                        const Clock& clock, Nanos patience);

}  // namespace tacho
