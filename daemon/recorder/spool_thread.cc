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
    : clock_(clock), loop_(loop), outbox_(queue_bytes), make_(std::move(make)), work_(clock) {}

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

std::optional<SpoolView> SpoolThread::view() const {
  const MutexLock lock(mutex_);
  return view_;
}

void SpoolThread::Run() {
  const auto worker = Open();
  while (Turn(*worker)) {
  }
  {
    const WorkInHand::Piece closing(work_);
    worker->Close(clock_.Boot());
  }
  has_ended_.store(true, std::memory_order_release);
}

std::unique_ptr<SpoolWorker> SpoolThread::Open() {
  const WorkInHand::Piece opening(work_);
  auto worker = make_();
  Handle(*worker, {});
  return worker;
}

// False once there is nothing more to come.
bool SpoolThread::Turn(SpoolWorker& worker) {
  const auto records = outbox_.Take(worker.Patience(clock_.Boot()));
  if (!records) return false;
  const WorkInHand::Piece turn(work_);
  AdoptSync(worker);
  Handle(worker, *records);
  worker.Tend(clock_.Boot());
  return true;
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
  {
    const MutexLock lock(mutex_);
    view_ = worker.View();
  }
  if (answers.empty()) return;
  loop_.Post([answers = std::move(answers)] {
    for (const Answer& answer : answers) {
      answer.tell(answer.stored);
    }
  });
}

}  // namespace tacho
