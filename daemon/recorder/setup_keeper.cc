// Merges what the board, the recorder and the owner say of the setup.
#include "daemon/recorder/setup_keeper.h"

#include <utility>

#include "collector/setup.h"

namespace tacho {
namespace {

const std::string& Of(const SetupKeeper::Setup& setup, const std::string& key) {
  static const std::string kNone = "(none)";
  const auto found = setup.find(key);
  return found == setup.end() ? kNone : found->second;
}

std::vector<Event> Changes(const SetupKeeper::Setup& before, const SetupKeeper::Setup& after,
                           BootTime now) {
  SetupKeeper::Setup keys = before;
  keys.insert(after.begin(), after.end());
  std::vector<Event> events;
  for (const auto& [key, unused] : keys) {
    if (Of(before, key) == Of(after, key)) continue;
    events.push_back({.at = now,
                      .severity = Severity::kInfo,
                      .kind = "setup_changed",
                      .detail = key + ": " + Of(before, key) + " -> " + Of(after, key)});
  }
  return events;
}

}  // namespace

SetupKeeper::SetupKeeper(SystemRoot root, Channels& channels, Setup own)
    : root_(std::move(root)), channels_(channels), own_(std::move(own)) {}

void SetupKeeper::SetLabels(Setup labels) {
  labels_ = std::move(labels);
  if (looked_at_) Publish();
}

std::vector<Event> SetupKeeper::Look(BootTime now) {
  if (looked_at_ && now - *looked_at_ < kEvery) return {};
  Setup board;
  for (auto& [key, value] : ReadSetup(root_)) {
    board.emplace(std::move(key), std::move(value));
  }
  std::vector<Event> events;
  if (looked_at_) events = Changes(board_, board, now);
  looked_at_ = now;
  board_ = std::move(board);
  Publish();
  return events;
}

void SetupKeeper::Publish() {
  Setup all = labels_;
  all.insert(own_.begin(), own_.end());
  all.insert(board_.begin(), board_.end());
  channels_.SetSetup(all);
}

}  // namespace tacho
