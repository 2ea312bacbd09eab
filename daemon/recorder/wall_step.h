// The kernel's word that someone set the wall clock.
#pragma once

namespace tacho {

// Loop thread. Where the kernel has no such timer, descriptor() is -1 and nothing is told.
class WallStep {
 public:
  WallStep();
  ~WallStep();
  WallStep(const WallStep&) = delete;
  WallStep& operator=(const WallStep&) = delete;

  // Readable after a step, until Rearm.
  int descriptor() const { return timer_; }
  void Rearm();

 private:
  void Arm();

  const int timer_;
};

}  // namespace tacho
