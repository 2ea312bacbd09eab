// How much somebody may send: so much at once, so much over time.
#pragma once

#include <algorithm>
#include <chrono>

#include "common/time.h"

namespace tacho {

class TokenBucket {
 public:
  struct Rate {
    double per_second = 0;
    double burst = 0;
  };

  TokenBucket(Rate rate, BootTime now) : rate_(rate), tokens_(rate.burst), at_(now) {}

  // Takes `cost`, also into debt.
  void Take(double cost, BootTime now) {
    tokens_ = std::min(rate_.burst, tokens_ + rate_.per_second * Seconds(now - at_)) - cost;
    at_ = now;
  }
  // How long until the debt is paid; zero where there is none.
  Nanos wait() const {
    if (tokens_ >= 0) return Nanos{0};
    return std::chrono::duration_cast<Nanos>(
        std::chrono::duration<double>(-tokens_ / rate_.per_second));
  }
  // A debt as large as the burst: who is told to wait and does not.
  bool is_overdrawn() const { return tokens_ < -rate_.burst; }

 private:
  static double Seconds(Nanos nanos) { return std::chrono::duration<double>(nanos).count(); }
  Rate rate_;
  double tokens_;
  BootTime at_;
};

}  // namespace tacho
