// A loop whose time moves only when the test says so.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "common/scheduler.h"
#include "tests/support/fake_clock.h"

namespace tacho {

// The test's thread is the loop thread. Given a clock, it moves the clock along.
class FakeScheduler final : public Scheduler {
 public:
  FakeScheduler() = default;
  explicit FakeScheduler(FakeClock& clock) : clock_(&clock), now_(clock.Boot()) {}

  void Post(std::function<void()> task) override {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
  }

  [[nodiscard]] std::unique_ptr<Timer> After(Nanos delay, std::function<void()> task) override {
    auto timer = std::make_unique<FakeTimer>(*this);
    timer->at = due_.emplace(now_ + delay, std::make_pair(timer.get(), std::move(task)));
    timer->is_pending = true;
    return timer;
  }

  // Runs what was posted and every task due within `by`, each at its own time.
  void Advance(Nanos by) {
    const BootTime until = now_ + by;
    RunPosted();
    while (!due_.empty() && due_.begin()->first <= until) {
      auto node = due_.extract(due_.begin());
      if (node.key() > now_) MoveTo(node.key());
      node.mapped().first->is_pending = false;
      node.mapped().second();
      RunPosted();
    }
    MoveTo(until);
  }

  // Runs what was posted, also by tasks that it runs, without moving time.
  void RunPosted() {
    for (std::function<void()> task; TakePosted(task);) {
      task();
    }
  }

  BootTime now() const { return now_; }
  std::size_t pending_timers() const { return due_.size(); }

 private:
  struct FakeTimer;
  using Due = std::multimap<BootTime, std::pair<FakeTimer*, std::function<void()>>>;
  struct FakeTimer final : Timer {
    explicit FakeTimer(FakeScheduler& scheduler) : owner(scheduler) {}
    ~FakeTimer() override {
      if (is_pending) owner.due_.erase(at);
    }
    FakeScheduler& owner;
    Due::iterator at;
    bool is_pending = false;
  };

  bool TakePosted(std::function<void()>& task) {
    const std::lock_guard lock(mutex_);
    if (posted_.empty()) return false;
    task = std::move(posted_.front());
    posted_.pop_front();
    return true;
  }

  void MoveTo(BootTime at) {
    now_ = at;
    if (clock_ != nullptr) clock_->SetBoot(at);
  }

  FakeClock* clock_ = nullptr;
  BootTime now_;
  std::mutex mutex_;
  std::deque<std::function<void()>> posted_;
  Due due_;
};

}  // namespace tacho
