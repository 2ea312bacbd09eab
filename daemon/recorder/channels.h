// The channels of this process: who measures what under which number, and the robot's setup.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "collector/source.h"
#include "common/dictionary.h"
#include "common/mutex.h"

namespace tacho {

// Any thread. Numbers are dense and never change or vanish while the process lives.
class Channels {
 public:
  explicit Channels(DictionaryLimits limits = {});
  ~Channels();

  // The group of that name, made if new. Past the limit of groups the last one is given.
  GroupId AddGroup(const std::string& name, Nanos period);
  // A book whose channels belong to `group`; lives as long as this object.
  // The same metric and instance twice give the same number; past the limit, kNoChannel.
  ChannelBook& BookOf(GroupId group);

  // Whether another group than `group` has a channel of that metric and instance.
  bool IsTakenBeside(GroupId group, std::string_view metric, std::string_view instance) const;

  // Replaces the setup. Entries past the limits are left out.
  void SetSetup(const std::map<std::string, std::string>& setup);

  // Grows with each change of what Snapshot() would give.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  Dictionary Snapshot() const;
  // Channels that found no room.
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }

 private:
  class Book;
  using Key = std::tuple<GroupId, std::string, std::string>;

  ChannelId Add(GroupId group, const MetricDef& metric, std::string instance);
  std::string Cut(std::string text) const;

  const DictionaryLimits limits_;
  mutable Mutex mutex_;
  Dictionary dictionary_ GUARDED_BY(mutex_);
  std::map<Key, ChannelId> known_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Book>> books_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> version_{0};
  std::atomic<std::uint64_t> refused_{0};
};

}  // namespace tacho
