#include "server/double_boot.h"

#include <algorithm>

namespace tacho {
namespace {

constexpr std::size_t kReturns = 3;
constexpr Nanos kWithin = std::chrono::minutes(10);
constexpr std::size_t kBootsRemembered = 8;

}  // namespace

bool DoubleBootWatch::SeesTwo(const std::string& robot, const BootId& boot, BootTime now) {
  Hellos& hellos = robots_[robot];
  if (!hellos.boots.empty() && hellos.boots.back() == boot) return false;  // only reconnected
  const auto before = std::find(hellos.boots.begin(), hellos.boots.end(), boot);
  const bool is_return = before != hellos.boots.end();
  if (is_return) hellos.boots.erase(before);
  hellos.boots.push_back(boot);
  if (hellos.boots.size() > kBootsRemembered) hellos.boots.pop_front();
  if (is_return) hellos.returns.push_back(now);
  while (!hellos.returns.empty() && now - hellos.returns.front() > kWithin) {
    hellos.returns.pop_front();
  }
  return hellos.returns.size() >= kReturns;
}

}  // namespace tacho
