// Gives channels their numbers under one lock; none of it is on the way of a sweep.
#include "daemon/recorder/channels.h"

#include <algorithm>
#include <utility>

#include "daemon/recorder/reading.h"

namespace tacho {

// One group's view of the channels.
class Channels::Book final : public ChannelBook {
 public:
  Book(Channels& channels, GroupId group) : channels_(channels), group_(group) {}
  ChannelId Add(const MetricDef& metric, std::string instance) override {
    return channels_.Add(group_, metric, std::move(instance));
  }

 private:
  Channels& channels_;
  const GroupId group_;
};

Channels::Channels(DictionaryLimits limits) : limits_(limits) {}
Channels::~Channels() = default;

GroupId Channels::AddGroup(const std::string& name, Nanos period) {
  const MutexLock lock(mutex_);
  for (const GroupDef& group : dictionary_.groups) {
    if (group.name == name) return group.id;
  }
  if (dictionary_.groups.size() >= limits_.groups) return dictionary_.groups.back().id;
  const GroupId id{static_cast<std::uint16_t>(dictionary_.groups.size())};
  dictionary_.groups.push_back({.id = id, .name = Cut(name), .period = period});
  books_.push_back(std::make_unique<Book>(*this, id));
  version_.fetch_add(1, std::memory_order_release);
  return id;
}

ChannelBook& Channels::BookOf(GroupId group) {
  const MutexLock lock(mutex_);
  return *books_.at(Number(group));
}

ChannelId Channels::Add(GroupId group, const MetricDef& metric, std::string instance) {
  const MutexLock lock(mutex_);
  instance = Cut(std::move(instance));
  const auto [known, is_new] = known_.try_emplace({group, std::string(metric.name), instance});
  if (!is_new) return known->second;
  if (dictionary_.channels.size() >= limits_.channels) {
    known_.erase(known);
    refused_.fetch_add(1, std::memory_order_relaxed);
    return kNoChannel;
  }
  const ChannelId id{static_cast<std::uint32_t>(dictionary_.channels.size())};
  known->second = id;
  dictionary_.channels.push_back({.id = id,
                                  .group = group,
                                  .metric = Cut(std::string(metric.name)),
                                  .instance = std::move(instance),
                                  .unit = metric.unit,
                                  .decimals = metric.decimals,
                                  .shape = metric.shape,
                                  .help = Cut(std::string(metric.help))});
  version_.fetch_add(1, std::memory_order_release);
  return id;
}

bool Channels::IsTakenBeside(GroupId group, std::string_view metric,
                             std::string_view instance) const {
  const MutexLock lock(mutex_);
  return std::ranges::any_of(dictionary_.channels, [&](const ChannelDef& channel) {
    return channel.group != group && channel.metric == metric && channel.instance == instance;
  });
}

void Channels::SetSetup(const std::map<std::string, std::string>& setup) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [key, value] : setup) {
    if (entries.size() >= limits_.setup) break;
    if (key.size() <= limits_.text) entries.emplace_back(key, Cut(value));
  }
  const MutexLock lock(mutex_);
  if (dictionary_.setup == entries) return;
  dictionary_.setup = std::move(entries);
  version_.fetch_add(1, std::memory_order_release);
}

Dictionary Channels::Snapshot() const {
  const MutexLock lock(mutex_);
  return dictionary_;
}

std::string Channels::Cut(std::string text) const {
  if (text.size() > limits_.text) text.resize(limits_.text);
  return text;
}

}  // namespace tacho
