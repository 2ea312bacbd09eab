// Hands messages from any thread to the one writer of a stream: in order, one at a time, then the
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "common/mutex.h"
#include "common/status.h"
#include "rpc/down.h"

namespace tacho {

// What really writes. Called outside the handover's lock, by whichever thread made the move due.
class HandoverWriter {
 public:
  virtual ~HandoverWriter() = default;
  // Begins one write; Handover::Written follows exactly once, from any thread. None is in flight.
  virtual void StartWrite(Down message) = 0;
  // The last call, exactly once; no write is in flight.
  virtual void Finish(const Status& why) = 0;
};

// Any thread, every member. Must be kept alive by each caller across its own call.
class Handover {
 public:
  // `limit`: messages waiting behind the one in flight. The writer must live until Finish was
  // called.
  Handover(HandoverWriter& writer, std::size_t limit) : writer_(writer), limit_(limit) {}

  // Nothing happens, but the count, after End. A reader so slow that the limit is reached loses its
  // stream: what it missed is told again after the next Hello.
  void Push(Down message);
  // What was pushed before is still written, then the stream ends with `why`. The first End counts.
  void End(Status why);
  // The same, but what waits is dropped: the other side is gone.
  void Abandon(Status why);
  // The writer's report on the write in flight; false: nothing more can be written.
  void Written(bool is_ok);

  std::uint64_t dropped() const;

 private:
  void Move();

  HandoverWriter& writer_;
  const std::size_t limit_;
  mutable Mutex mutex_;
  std::deque<Down> waiting_ GUARDED_BY(mutex_);
  Status why_ GUARDED_BY(mutex_);
  std::uint64_t dropped_ GUARDED_BY(mutex_) = 0;
  bool is_writing_ GUARDED_BY(mutex_) = false;
  bool is_ending_ GUARDED_BY(mutex_) = false;
  bool is_finished_ GUARDED_BY(mutex_) = false;
};

}  // namespace tacho
