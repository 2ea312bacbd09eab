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

  struct Asker {
    bool may_change = false;
    bool is_listening = true;  // else the answer is not called where nothing is changed
  };
  // A status that was made so lately is given again, unless a request changed something since.
  static constexpr Nanos kStatusHolds = std::chrono::milliseconds(100);

  LocalRequests(Recorder& recorder, const StatusReport& status)
      : recorder_(recorder), status_(status) {}

  void Handle(std::string_view line, Asker asker, const Answer& answer);

 private:
  const std::string& Status();
  void StartRun(const Json& request, const Answer& answer);
  void StopRun(const Answer& answer);
  void TakeEvent(const Json& request, const Answer& answer);
  // Tells the client what became of its record; with `run`, also which run it is.
  Journal::OnStored Telling(const Answer& answer, std::string run) const;

  Recorder& recorder_;
  const StatusReport& status_;
  std::string made_;  // the last status; empty where it holds no more
  BootTime made_at_;
};

}  // namespace tacho
