#include "rpc/handover.h"

#include <optional>
#include <utility>

namespace tacho {

void Handover::Push(Down message) {
  {
    const MutexLock lock(mutex_);
    if (is_ending_) {
      ++dropped_;
      return;
    }
    if (waiting_.size() >= limit_) {
      dropped_ += waiting_.size() + 1;
      waiting_.clear();
      is_ending_ = true;
      why_ = Status(Code::kExhausted, "the robot does not read what it is told");
    } else {
      waiting_.push_back(std::move(message));
    }
  }
  Move();
}

void Handover::End(Status why) {
  {
    const MutexLock lock(mutex_);
    if (is_ending_) return;
    is_ending_ = true;
    why_ = std::move(why);
  }
  Move();
}

// Under one lock: what is pushed meanwhile must not be written behind what was dropped.
void Handover::Abandon(Status why) {
  {
    const MutexLock lock(mutex_);
    dropped_ += waiting_.size();
    waiting_.clear();
    if (!is_ending_) why_ = std::move(why);
    is_ending_ = true;
  }
  Move();
}

void Handover::Written(bool is_ok) {
  {
    const MutexLock lock(mutex_);
    is_writing_ = false;
    if (!is_ok) {
      dropped_ += waiting_.size();
      waiting_.clear();
      if (!is_ending_) why_ = Status(Code::kUnavailable, "the robot is gone");
      is_ending_ = true;
    }
  }
  Move();
}

// Makes the one move that is due, if any: whoever sets is_writing_ or is_finished_ under the lock
// is the only one to call the writer until that call's own report.
void Handover::Move() {
  std::optional<Down> message;
  Status why;
  {
    const MutexLock lock(mutex_);
    if (is_writing_ || is_finished_) return;
    if (!waiting_.empty()) {
      message = std::move(waiting_.front());
      waiting_.pop_front();
      is_writing_ = true;
    } else if (is_ending_) {
      is_finished_ = true;
      why = why_;
    } else {
      return;
    }
  }
  if (message) {
    writer_.StartWrite(std::move(*message));
  } else {
    writer_.Finish(why);
  }
}

std::uint64_t Handover::dropped() const {
  const MutexLock lock(mutex_);
  return dropped_;
}

}  // namespace tacho
