// A sink that hands what it receives to the loop thread by ring.
#pragma once

#include "collector/feed.h"
#include "daemon/recorder/reading.h"

namespace tacho {

// Lives on the one thread that writes the ring. A reading that finds the ring full is dropped and
// counted there; its cell is then missing in the row.
class RingSink final : public SweepSink {
 public:
  RingSink(ReadingRing& ring, GroupId group) : ring_(ring), group_(group) {}

  void Begin(BootTime at) override { at_ = at; }
  void Put(ChannelId channel, std::int64_t value) override {
    Push({.at = at_, .value = value, .channel = channel, .group = group_});
  }
  void Absent(ChannelId channel, Why why) override {
    Push({.at = at_, .channel = channel, .group = group_, .why = why});
  }
  void End() override { Push({.at = at_, .channel = kEndOfRow, .group = group_}); }

  // What follows belongs to another group of the same sweep.
  void TurnTo(GroupId group) { group_ = group; }

 private:
  void Push(const Reading& reading) {
    // A full ring has counted the loss itself, ignored since this thread must not wait.
    (void)ring_.TryPush(reading);
  }

  ReadingRing& ring_;
  GroupId group_;
  BootTime at_;
};

}  // namespace tacho
