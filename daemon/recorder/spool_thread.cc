// The loop of the spool thread: take, append, answer, sync.
#include "daemon/recorder/spool_thread.h"

#include <utility>

namespace tacho {
namespace {

// What a record's sender wants to hear, once it is known.
struct Answer {
  std::function<void(const Stored&)> tell;
  Stored stored;
};

}  // namespace

SpoolThread::SpoolThread(const Clock& clock, Scheduler& loop, std::size_t queue_bytes,
                         MakeWorker make)
    : clock_(clock), loop_(loop), outbox_(queue_bytes), make_(std::move(make)) {}

SpoolThread::~SpoolThread() {
  Stop();
  if (thread_.joinable()) thread_.join();
}

void SpoolThread::Start() {
  thread_ = std::thread([this] { Run(); });
}

void SpoolThread::Replace(SyncConfig sync) {
  const MutexLock lock(mutex_);
  new_sync_ = sync;
}

std::optional<BootTime> SpoolThread::busy_since() const {
  const std::int64_t since = busy_since_.load(std::memory_order_relaxed);
  if (since == 0) return std::nullopt;
  return BootTimeOf(since);
}

void SpoolThread::Run() {
  busy_since_.store(Count(clock_.Boot()), std::memory_order_relaxed);
  const auto worker = make_();
  Handle(*worker, {});
  while (true) {
    busy_since_.store(0, std::memory_order_relaxed);
    const auto records = outbox_.Take(worker->Patience(clock_.Boot()));
    busy_since_.store(Count(clock_.Boot()), std::memory_order_relaxed);
    if (!records) break;
    AdoptSync(*worker);
    Handle(*worker, *records);
    worker->Tend(clock_.Boot());
  }
  worker->Close(clock_.Boot());
  busy_since_.store(0, std::memory_order_relaxed);
  has_ended_.store(true, std::memory_order_release);
}

void SpoolThread::AdoptSync(SpoolWorker& worker) {
  const MutexLock lock(mutex_);
  if (const auto sync = std::exchange(new_sync_, std::nullopt)) worker.Replace(*sync);
}

// Appends all, then answers all: a flood of events costs one turn of the loop, not one each.
void SpoolThread::Handle(SpoolWorker& worker, const std::vector<Outgoing>& records) {
  std::vector<Answer> answers;
  const BootTime now = clock_.Boot();
  for (const Outgoing& record : records) {
    const Stored stored = worker.Append(record, now);
    if (record.on_stored) answers.push_back({record.on_stored, stored});
  }
  loop_.Post([this, view = worker.View(), answers = std::move(answers)] {
    view_ = view;
    for (const Answer& answer : answers) {
      answer.tell(answer.stored);
    }
  });
}

}  // namespace tacho
