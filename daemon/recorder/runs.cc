// The rules of opening and closing.
#include "daemon/recorder/runs.h"

#include <algorithm>

namespace tacho {
namespace {

Labels WithContinues(Labels labels, std::uint32_t number) {
  std::erase_if(labels, [](const auto& label) { return label.first == "continues"; });
  labels.emplace_back("continues", std::to_string(number));
  return labels;
}

}  // namespace

std::vector<RunChange> Runs::Begin(const std::optional<OpenRun>& left, bool was_closed,
                                   BootTime last_alive, BootTime now) {
  std::vector<RunChange> changes;
  if (left) open_ = *left;
  if (!left || was_closed) {
    changes.push_back(Open(kIdle, {}, now));
    return changes;
  }
  changes.push_back(Close("unclean end", std::max(last_alive, open_.at)));
  if (is_named()) {
    changes.push_back(Open(left->name, WithContinues(left->labels, left->number), now));
  } else {
    changes.push_back(Open(kIdle, {}, now));
  }
  return changes;
}

std::vector<RunChange> Runs::Start(const std::string& name, Labels labels, BootTime now) {
  std::vector<RunChange> changes = {Close("next run", now)};
  changes.push_back(Open(name, std::move(labels), now));
  return changes;
}

std::vector<RunChange> Runs::Stop(BootTime now) {
  std::vector<RunChange> changes = {Close("command", now)};
  changes.push_back(Open(kIdle, {}, now));
  return changes;
}

std::vector<RunChange> Runs::End(BootTime now) {
  return {Close("stop", now)};
}

RunChange Runs::Close(const char* reason, BootTime at) const {
  return {.what = RunChange::What::kClosed,
          .number = open_.number,
          .name = open_.name,
          .at = at,
          .reason = reason,
          .labels = open_.labels};
}

RunChange Runs::Open(const std::string& name, Labels labels, BootTime at) {
  open_ = {.number = open_.number + 1, .name = name, .at = at, .labels = std::move(labels)};
  return {.what = RunChange::What::kOpened,
          .number = open_.number,
          .name = open_.name,
          .at = at,
          .reason = "",
          .labels = open_.labels};
}

}  // namespace tacho
