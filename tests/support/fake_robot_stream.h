// A robot's stream without a network: remembers what the server said.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "rpc/telemetry_service.h"

namespace tacho {

// Any thread.
class FakeRobotStream final : public RobotStream {
 public:
  struct Refusal {
    StreamKey stream;
    SeqRange seqs;
    Status why;
    Committed committed;
  };

  void SendWelcome(const Welcome& welcome) override {
    const std::lock_guard lock(mutex_);
    welcome_ = welcome;
  }
  void SendAck(const Committed& committed) override {
    const std::lock_guard lock(mutex_);
    acks_.push_back(committed);
  }
  void SendRefused(const StreamKey& stream, SeqRange seqs, const Status& why,
                   const Committed& committed) override {
    const std::lock_guard lock(mutex_);
    refusals_.push_back({stream, seqs, why, committed});
  }
  void SendThrottle(Nanos pause) override {
    const std::lock_guard lock(mutex_);
    throttle_ = pause;
  }
  void End(const Status& why) override {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = why;
  }

  std::optional<Welcome> welcome() const { return Locked(welcome_); }
  std::vector<Committed> acks() const { return Locked(acks_); }
  std::vector<Refusal> refusals() const { return Locked(refusals_); }
  std::optional<Nanos> throttle() const { return Locked(throttle_); }
  std::optional<Status> end() const { return Locked(end_); }

 private:
  template <class T>
  T Locked(const T& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }

  mutable std::mutex mutex_;
  std::optional<Welcome> welcome_;
  std::vector<Committed> acks_;
  std::vector<Refusal> refusals_;
  std::optional<Nanos> throttle_;
  std::optional<Status> end_;
};

}  // namespace tacho
