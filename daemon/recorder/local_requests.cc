// Checks requests, passes them on and words the answers.
#include "daemon/recorder/local_requests.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace tacho {
namespace {

constexpr std::size_t kMostLabels = 63;  // of a record's 64: one is kept for "continues"
constexpr std::size_t kMostName = 128;
constexpr std::size_t kMostText = 4096;
constexpr const char* kQueueFull = "the queue to the spool is full; try again";

std::string Refusal(std::string_view why) {
  return Json(Json::Object{{"ok", false}, {"error", why}}).Dump();
}

bool IsWord(std::string_view text) {
  const auto is_fit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && text.size() <= kMostName && std::ranges::all_of(text, is_fit);
}

// No slash, since a run is written robot/boot/number; nothing that would break a terminal's line.
bool IsRunName(std::string_view text) {
  const auto is_fit = [](char c) {
    return c != '/' && static_cast<unsigned char>(c) > ' ' && c != 127;
  };
  return !text.empty() && text.size() <= kMostName && std::ranges::all_of(text, is_fit);
}

// What the recorder and the server say of themselves; nobody else may say it in their name.
bool IsReserved(std::string_view kind) {
  constexpr std::string_view kFirstWords[] = {"robot_", "recorder_", "sensor_", "spool_"};
  return kind == "clock_stepped" || kind == "setup_changed" ||
         std::ranges::any_of(kFirstWords, [&](auto word) { return kind.starts_with(word); });
}

std::optional<Labels> LabelsOf(const Json& json) {
  Labels labels;
  for (const auto& [key, value] : json.members()) {
    if (!value.is_text() || key.empty() || key.size() > kMostName) return std::nullopt;
    if (value.AsText().size() > kMostText) return std::nullopt;
    labels.emplace_back(key, value.AsText());
  }
  const bool is_table = json.is_null() || json.Dump().starts_with('{');
  if (!is_table || labels.size() > kMostLabels) return std::nullopt;
  return labels;
}

std::optional<Severity> SeverityOf(std::string_view word) {
  if (word == "info") return Severity::kInfo;
  if (word == "warning") return Severity::kWarning;
  if (word == "error") return Severity::kError;
  return std::nullopt;
}

}  // namespace

void LocalRequests::Handle(std::string_view line, Asker asker, const Answer& answer) {
  const auto request = Json::Parse(line);
  if (!request.ok()) return answer(Refusal("this is no JSON: " + request.error()->message()));
  const std::string what = (*request)["do"].AsText();
  if (what == "status") {
    if (asker.is_listening) answer(Status());
    return;
  }
  const bool is_change = what == "run_start" || what == "run_stop" || what == "event";
  if (!is_change) {
    return answer(Refusal(fmt::format(
        "\"do\" must be one of status, run_start, run_stop and event, not \"{}\"", what)));
  }
  if (!asker.may_change) {
    return answer(Refusal("only root, the recorder's user and members of its group may do this"));
  }
  made_.clear();
  if (what == "run_start") return StartRun(*request, answer);
  if (what == "run_stop") return StopRun(answer);
  TakeEvent(*request, answer);
}

const std::string& LocalRequests::Status() {
  const BootTime now = recorder_.parts().clock.Boot();
  if (made_.empty() || now - made_at_ >= kStatusHolds) {
    recorder_.TakeIn();
    made_ = status_.Make().Dump();
    made_at_ = now;
  }
  return made_;
}

void LocalRequests::StartRun(const Json& request, const Answer& answer) {
  const std::string name = request["name"].AsText();
  if (!IsRunName(name) || name == Runs::kIdle) {
    return answer(Refusal(
        "\"name\" must have 1 to 128 characters, no white space and no '/', and not be idle"));
  }
  auto labels = LabelsOf(request["labels"]);
  if (!labels) return answer(Refusal("\"labels\" must hold at most 63 texts by name"));
  RunKeeper& runs = recorder_.runs();
  const std::string run = fmt::format("{}/{}", recorder_.boot_name(), runs.open().number + 1);
  const BootTime now = recorder_.parts().clock.Boot();
  const bool is_taken = runs.Start(name, *std::move(labels), now, Telling(answer, run));
  if (!is_taken) answer(Refusal(kQueueFull));
}

void LocalRequests::StopRun(const Answer& answer) {
  RunKeeper& runs = recorder_.runs();
  if (!runs.is_named()) return answer(Refusal("no run is open but idle"));
  const std::string run = fmt::format("{}/{}", recorder_.boot_name(), runs.open().number);
  const BootTime now = recorder_.parts().clock.Boot();
  if (!runs.Stop(now, Telling(answer, run))) answer(Refusal(kQueueFull));
}

void LocalRequests::TakeEvent(const Json& request, const Answer& answer) {
  const std::string kind = request["kind"].AsText();
  const std::string detail = request["detail"].AsText();
  const auto severity = SeverityOf(request["severity"].AsText("info"));
  if (!IsWord(kind)) {
    return answer(Refusal("\"kind\" must have 1 to 128 lower-case letters, digits and '_'"));
  }
  if (IsReserved(kind)) {
    return answer(Refusal("\"kind\" " + kind + " is told by the recorder or the server alone"));
  }
  if (detail.size() > kMostText) return answer(Refusal("\"detail\" is longer than 4096 bytes"));
  if (!severity) return answer(Refusal("\"severity\" must be info, warning or error"));
  const Event event{
      .at = recorder_.parts().clock.Boot(), .severity = *severity, .kind = kind, .detail = detail};
  if (!recorder_.KeepEvent(event, Telling(answer, ""))) answer(Refusal(kQueueFull));
}

Journal::OnStored LocalRequests::Telling(const Answer& answer, std::string run) const {
  return [answer, run = std::move(run)](const Stored& stored) {
    if (!stored.status.ok()) return answer(Refusal(stored.status.message()));
    Json json{Json::Object{{"ok", true}, {"stored", Number(stored.seq)}}};
    if (!run.empty()) json.Set("run", run);
    if (stored.is_in_ram) json.Set("ram", true);
    answer(json.Dump());
  };
}

}  // namespace tacho
