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

void Presence::Heard(const std::string& robot, WallTime at) {
  MutexLock lock(mutex_);
  Contact& contact = contacts_[robot];
  contact.last = std::max(contact.last.value_or(at), at);
  contact.is_fresh = true;
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
  const auto heard = presence_.LastHeard(robot);
  if (!heard) return Nanos{0};
  const Nanos since = clock_.Pair().wall - *heard;
  return since > allowed_ ? since : Nanos{0};
}

}  // namespace tacho
