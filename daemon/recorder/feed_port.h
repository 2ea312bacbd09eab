// A feed with the ring that carries what it says to the loop thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "collector/feed.h"
#include "daemon/recorder/ring_sink.h"
#include "daemon/recorder/row_assembler.h"
#include "daemon/recorder/source_health.h"

namespace tacho {

// Loop thread, but for the sink, which is the feed's.
class FeedPort {
 public:
  // `period`: of the feed's rows, as far as it was asked for.
  FeedPort(std::string name, GroupId group, Nanos period, std::size_t ring_capacity,
           std::unique_ptr<Feed> feed)
      : name_(std::move(name)),
        group_(group),
        period_(period),
        ring_(ring_capacity),
        sink_(ring_, group),
        feed_(std::move(feed)) {}

  void Start(BootTime now) {
    started_ = now;
    status_ = feed_->Start(sink_);
  }
  // Why it does not run; a kNotFound is no error: this board has no such thing.
  const Status& status() const { return status_; }
  void Stop() { feed_->Stop(); }

  // Calls `take(const Row&)` for each row that arrived.
  template <class Take>
  void Drain(Take&& take) {
    Reading reading;
    while (ring_.TryPop(reading)) {
      last_row_ = std::max(last_row_, reading.at);
      assembler_.Add(reading, take);
    }
  }
  // As Drain, and rows that were begun end too: after Stop.
  template <class Take>
  void DrainAll(Take&& take) {
    Drain(take);
    assembler_.Close(take);
  }

  // As of the rows drained so far; the channels are the caller's to count.
  SourceHealth health(BootTime now) const;
  const std::string& name() const { return name_; }
  GroupId group() const { return group_; }
  std::uint64_t dropped() const { return ring_.dropped(); }

 private:
  const std::string name_;
  const GroupId group_;
  const Nanos period_;
  BootTime started_;
  BootTime last_row_;  // zero: none yet
  ReadingRing ring_;
  RowAssembler assembler_;
  RingSink sink_;
  Status status_;
  const std::unique_ptr<Feed> feed_;
};

}  // namespace tacho
