#include "server/clock.h"

namespace tacho {
namespace {

// NTP and GPS are believed alike: of the two, the nearer one tells more.
int ClassOf(ClockTrust trust) {
  return trust == ClockTrust::kGps ? static_cast<int>(ClockTrust::kNtp) : static_cast<int>(trust);
}

// Whether `other` is a better anchor for `at` than `best`, both of one class.
bool IsNearer(const ClockPair& other, const ClockPair& best, BootTime at) {
  const bool other_is_before = other.boot <= at;
  const bool best_is_before = best.boot <= at;
  if (other_is_before != best_is_before) return other_is_before;
  if (other.boot != best.boot) {
    return other_is_before ? other.boot > best.boot : other.boot < best.boot;
  }
  return other.wall > best.wall;  // two at one moment: any rule, as long as it is one
}

}  // namespace

WallEstimate WallOf(BootTime at, std::span<const ClockPair> pairs) {
  const ClockPair* best = nullptr;
  for (const ClockPair& pair : pairs) {
    if (pair.trust == ClockTrust::kNever) continue;
    const bool is_better =
        best == nullptr || ClassOf(pair.trust) > ClassOf(best->trust) ||
        (ClassOf(pair.trust) == ClassOf(best->trust) && IsNearer(pair, *best, at));
    if (is_better) best = &pair;
  }
  if (best == nullptr) return {};
  return {best->wall + (at - best->boot), best->trust};
}

std::string_view NameOf(ClockTrust trust) {
  switch (trust) {
    case ClockTrust::kNever:
      return "never";
    case ClockTrust::kRtc:
      return "rtc";
    case ClockTrust::kServer:
      return "server";
    case ClockTrust::kNtp:
      return "ntp";
    case ClockTrust::kGps:
      return "gps";
  }
  return "never";
}

}  // namespace tacho
