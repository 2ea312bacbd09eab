// Remembers what sources and feeds say, by "metric/instance", for tests.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collector/feed.h"
#include "collector/source.h"

namespace tacho {

// One sweep, or one call of Sample.
struct RecordedSweep {
  BootTime at{};
  std::map<std::string, std::int64_t> values;
  std::map<std::string, Why> absent;
};

// Book and sink in one. Any thread; a test waits with WaitFor (tests/support/waiting.h).
class RecordedSink final : public ChannelBook, public SweepSink {
 public:
  ChannelId Add(const MetricDef& metric, std::string instance) override {
    const std::lock_guard lock(mutex_);
    std::string name(metric.name);
    if (!instance.empty()) name += "/" + instance;
    names_.push_back(name);
    decimals_[name] = metric.decimals;
    return ChannelId{static_cast<std::uint32_t>(names_.size() - 1)};
  }

  void Begin(BootTime at) override {
    const std::lock_guard lock(mutex_);
    now_ = RecordedSweep{.at = at, .values = {}, .absent = {}};
  }
  void End() override {
    const std::lock_guard lock(mutex_);
    sweeps_.push_back(std::exchange(now_, {}));
  }
  void Put(ChannelId channel, std::int64_t value) override {
    const std::lock_guard lock(mutex_);
    now_.values[names_.at(Number(channel))] = value;
  }
  void Absent(ChannelId channel, Why why) override {
    const std::lock_guard lock(mutex_);
    now_.absent[names_.at(Number(channel))] = why;
  }

  // What one Sample of `source` says.
  RecordedSweep Sample(Source& source) {
    Begin({});
    last_status_ = source.Sample(*this);
    End();
    return sweeps().back();
  }
  const Status& last_status() const { return last_status_; }

  std::vector<std::string> names() const {
    const std::lock_guard lock(mutex_);
    return names_;
  }
  std::vector<RecordedSweep> sweeps() const {
    const std::lock_guard lock(mutex_);
    return sweeps_;
  }
  int decimals(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    return decimals_.at(name);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> names_;
  std::map<std::string, int> decimals_;
  RecordedSweep now_;
  std::vector<RecordedSweep> sweeps_;
  Status last_status_;
};

}  // namespace tacho
