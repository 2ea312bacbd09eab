#include "server/presence.h"

#include <algorithm>

namespace tacho {

void Presence::Opened(const std::string& robot) {
  MutexLock lock(mutex_);
  ++contacts_[robot].streams;
}

void Presence::Closed(const std::string& robot) {
  MutexLock lock(mutex_);
  Contact& contact = contacts_[robot];
  contact.streams = std::max(0, contact.streams - 1);
}

void Presence::Heard(const std::string& robot, const ClockPair& now) {
  MutexLock lock(mutex_);
  Contact& contact = contacts_[robot];
  contact.last = now.wall;
  contact.heard = now.boot;
  contact.is_fresh = true;
}

void Presence::Remember(const std::string& robot, WallTime at) {
  MutexLock lock(mutex_);
  contacts_[robot].last = at;
}

bool Presence::IsConnected(const std::string& robot) const {
  MutexLock lock(mutex_);
  const auto found = contacts_.find(robot);
  return found != contacts_.end() && found->second.streams > 0;
}

std::optional<WallTime> Presence::LastHeard(const std::string& robot) const {
  MutexLock lock(mutex_);
  const auto found = contacts_.find(robot);
  if (found == contacts_.end()) return std::nullopt;
  return found->second.last;
}

std::optional<BootTime> Presence::HeardAt(const std::string& robot) const {
  MutexLock lock(mutex_);
  const auto found = contacts_.find(robot);
  if (found == contacts_.end()) return std::nullopt;
  return found->second.heard;
}

std::vector<std::pair<std::string, WallTime>> Presence::TakeFresh() {
  MutexLock lock(mutex_);
  std::vector<std::pair<std::string, WallTime>> fresh;
  for (auto& [robot, contact] : contacts_) {
    if (!contact.is_fresh) continue;
    contact.is_fresh = false;
    fresh.emplace_back(robot, *contact.last);
  }
  return fresh;
}

Nanos Silence::Of(const std::string& robot) const {
  const auto remembered = presence_.LastHeard(robot);
  if (!remembered) return Nanos{0};
  const auto heard = presence_.HeardAt(robot);
  // Of another life of the server only the wall clock tells; that it did not call since is sure.
  const Nanos since =
      heard ? clock_.Boot() - *heard : std::max(clock_.Pair().wall - *remembered, listened());
  return since > allowed_ ? since : Nanos{0};
}

}  // namespace tacho
