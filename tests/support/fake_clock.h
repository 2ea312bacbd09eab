// A clock that stands still until the test moves it.
#pragma once

#include <atomic>

#include "common/time.h"

namespace tacho {

// Wall time is boot time plus an offset, so that a step of the wall clock is one call. Any thread.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(BootTime boot = BootTimeOf(0)) : boot_(Count(boot)) {}

  BootTime Boot() const override { return BootTimeOf(boot_); }
  ClockPair Pair() const override {
    const std::int64_t boot = boot_;
    return {BootTimeOf(boot), WallTimeOf(boot + wall_offset_), trust_};
  }

  void SetBoot(BootTime boot) { boot_ = Count(boot); }
  void Advance(Nanos by) { boot_ += by.count(); }
  // Steps the wall clock: it shows `wall` now and runs on from there.
  void SetWall(WallTime wall) { wall_offset_ = Count(wall) - boot_; }
  void SetTrust(ClockTrust trust) { trust_ = trust; }

 private:
  std::atomic<std::int64_t> boot_;
  std::atomic<std::int64_t> wall_offset_{0};
  std::atomic<ClockTrust> trust_{ClockTrust::kNever};
};

}  // namespace tacho
