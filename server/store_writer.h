// The one thread that changes the store: commits what arrives in groups, then acknowledges it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "common/mutex.h"
#include "common/work_in_hand.h"
#include "rpc/telemetry_service.h"
#include "server/store/run_store.h"

namespace tacho {

struct WriterConfig {
  std::size_t queue_bytes = 64u << 20;  // at the limit, Submit holds its caller back
  std::size_t group_records = 512;      // committed together at most
};

// A record and whom to tell. shared: gRPC decides when a stream ends.
struct Delivery {
  Arrival arrival;
  std::shared_ptr<RobotStream> from;
};

class StoreWriter {
 public:
  using Task = std::function<void(RunWriter&)>;

  StoreWriter(RunStore& store, const Clock& clock, WriterConfig config);
  ~StoreWriter();  // Stop()

  // Any thread. Waits while the queue is full. False: stopping, the record is dropped
  // unacknowledged.
  bool Submit(Delivery delivery);
  // Any thread. Runs `task` on the writer's thread, after all that is queued by now.
  bool Post(Task task);
  // Writes what is queued, then ends the thread. Any thread, once or more.
  void Stop();

  std::uint64_t failed_commits() const;
  // Since when one commit or task has been going on; nullopt while there is none.
  std::optional<BootTime> busy_since() const { return work_.since(); }

 private:
  using Item = std::variant<Delivery, Task>;
  bool Push(Item item, std::size_t bytes);
  void Run();
  // The deliveries up to the next task, or one task. False: stopped and empty.
  bool Pop(std::vector<Delivery>& group, Task& task);
  void CommitGroup(std::vector<Delivery>& group);
  void Answer(const std::vector<Delivery>& group, const std::vector<Outcome>& outcomes);

  RunStore& store_;
  const WriterConfig config_;
  WorkInHand work_;
  mutable Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::pair<Item, std::size_t>> queue_ GUARDED_BY(mutex_);
  std::size_t queued_bytes_ GUARDED_BY(mutex_) = 0;
  bool is_stopping_ GUARDED_BY(mutex_) = false;
  std::uint64_t failed_commits_ GUARDED_BY(mutex_) = 0;
  std::thread thread_;  // last: starts when all else is there
};

// As much of a stream's committed seqs as travels in one message: the oldest 64 ranges.
Committed CommittedFor(const RunReader& store, const StreamId& stream);
// The committed ranges that touch `about`, in messages of 64 ranges.
std::vector<Committed> CommittedAbout(const RunReader& store, const StreamId& stream,
                                      const SeqRanges& about);
// The same for a record, as much as travels in one message.
Committed CommittedAbout(const RunReader& store, const StreamId& stream, SeqRange seqs);

}  // namespace tacho
