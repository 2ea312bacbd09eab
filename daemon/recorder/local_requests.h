// Answers the requests of the local socket (docs/formats/local.md).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "common/json.h"
#include "daemon/recorder/recorder.h"
#include "daemon/recorder/status_report.h"

namespace tacho {

// Loop thread.
class LocalRequests {
 public:
  // Called once for each request, at once or when the record is stored. One line, without its end.
  using Answer = std::function<void(std::string line)>;

  LocalRequests(Recorder& recorder, const StatusReport& status)
      : recorder_(recorder), status_(status) {}

  void Handle(std::string_view line, bool may_change, const Answer& answer);

 private:
  void StartRun(const Json& request, const Answer& answer);
  void StopRun(const Answer& answer);
  void TakeEvent(const Json& request, const Answer& answer);
  // Tells the client what became of its record; with `run`, also which run it is.
  Journal::OnStored Telling(const Answer& answer, std::string run) const;

  Recorder& recorder_;
  const StatusReport& status_;
};

}  // namespace tacho
