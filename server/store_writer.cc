#include "server/store_writer.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "common/log.h"

namespace tacho {
namespace {

// What a queued item weighs besides its payload.
constexpr std::size_t kItemBytes = 256;

}  // namespace

Committed CommittedFor(const RunReader& store, const StreamId& stream) {
  Committed committed{stream.key, {}};
  const auto ranges = store.CommittedOf(stream).list();
  for (std::size_t i = 0; i < std::min(ranges.size(), kMaxRanges); ++i) {
    committed.ranges.Add(ranges[i]);
  }
  return committed;
}

std::vector<Committed> CommittedAbout(const RunReader& store, const StreamId& stream,
                                      const SeqRanges& about) {
  const SeqRanges committed = store.CommittedOf(stream);
  SeqRanges touching;
  for (const SeqRange& seqs : about.list()) {
    for (const SeqRange& range : committed.Touching(seqs))
      touching.Add(range);
  }
  std::vector<Committed> messages;
  std::size_t left = 0;
  for (const SeqRange& range : touching.list()) {
    if (left == 0) {
      messages.push_back({stream.key, {}});
      left = kMaxRanges;
    }
    messages.back().ranges.Add(range);
    --left;
  }
  return messages;
}

Committed CommittedAbout(const RunReader& store, const StreamId& stream, SeqRange seqs) {
  SeqRanges about;
  about.Add(seqs);
  auto messages = CommittedAbout(store, stream, about);
  return messages.empty() ? Committed{stream.key, {}} : std::move(messages.front());
}

StoreWriter::StoreWriter(RunStore& store, const Clock& clock, WriterConfig config)
    : store_(store), config_(config), work_(clock), thread_([this] { Run(); }) {}

StoreWriter::~StoreWriter() {
  Stop();
}

bool StoreWriter::Submit(Delivery delivery) {
  const std::size_t bytes = delivery.arrival.record.payload.size() + kItemBytes;
  return Push(std::move(delivery), bytes);
}

bool StoreWriter::Post(Task task) {
  // Never held back: a task that posts its next step would wait for itself.
  MutexLock lock(mutex_);
  if (is_stopping_) return false;
  queue_.emplace_back(std::move(task), 0);
  changed_.notify_all();
  return true;
}

bool StoreWriter::Push(Item item, std::size_t bytes) {
  MutexLock lock(mutex_);
  while (!is_stopping_ && queued_bytes_ > 0 && queued_bytes_ + bytes > config_.queue_bytes) {
    changed_.wait(mutex_);
  }
  if (is_stopping_) return false;
  queue_.emplace_back(std::move(item), bytes);
  queued_bytes_ += bytes;
  changed_.notify_all();
  return true;
}

void StoreWriter::Stop() {
  {
    MutexLock lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

std::uint64_t StoreWriter::failed_commits() const {
  MutexLock lock(mutex_);
  return failed_commits_;
}

void StoreWriter::Run() {
  std::vector<Delivery> group;
  Task task;
  while (Pop(group, task)) {
    const WorkInHand::Piece turn(work_);
    if (task) std::exchange(task, nullptr)(store_);
    if (!group.empty()) CommitGroup(group);
    group.clear();
  }
}

bool StoreWriter::Pop(std::vector<Delivery>& group, Task& task) {
  MutexLock lock(mutex_);
  while (queue_.empty() && !is_stopping_)
    changed_.wait(mutex_);
  if (queue_.empty()) return false;
  while (!queue_.empty() && group.size() < config_.group_records) {
    auto& [item, bytes] = queue_.front();
    if (std::holds_alternative<Task>(item)) {
      if (!group.empty()) break;
      task = std::move(std::get<Task>(item));
      queue_.pop_front();
      break;
    }
    group.push_back(std::move(std::get<Delivery>(item)));
    queued_bytes_ -= bytes;
    queue_.pop_front();
  }
  changed_.notify_all();
  return true;
}

void StoreWriter::CommitGroup(std::vector<Delivery>& group) {
  std::vector<Arrival> arrivals;
  arrivals.reserve(group.size());
  for (Delivery& delivery : group)
    arrivals.push_back(std::move(delivery.arrival));
  const auto outcomes = store_.Commit(arrivals);
  for (std::size_t i = 0; i < group.size(); ++i)
    group[i].arrival = std::move(arrivals[i]);
  if (outcomes.ok()) {
    Answer(group, *outcomes);
    return;
  }
  Log(LogLevel::kError, "the store cannot write: " + outcomes.error()->message());
  {
    MutexLock lock(mutex_);
    ++failed_commits_;
  }
  // Nothing is acknowledged: the robots keep what they sent, and send it again when they reconnect.
  const Status why(Code::kUnavailable, "the server cannot store: " + outcomes.error()->message());
  std::set<RobotStream*> told;
  for (const Delivery& delivery : group) {
    if (told.insert(delivery.from.get()).second) delivery.from->End(why);
  }
}

void StoreWriter::Answer(const std::vector<Delivery>& group, const std::vector<Outcome>& outcomes) {
  std::map<std::pair<RobotStream*, StreamId>, SeqRanges> written;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const StreamId stream = group[i].arrival.stream();
    const SeqRange seqs = group[i].arrival.record.seqs;
    if (outcomes[i].what == Outcome::What::kRefused) {
      group[i].from->SendRefused(stream.key, seqs, outcomes[i].why,
                                 CommittedAbout(store_, stream, seqs));
    } else {
      written[{group[i].from.get(), stream}].Add(seqs);
    }
  }
  for (const auto& [to, seqs] : written) {
    for (const Committed& committed : CommittedAbout(store_, to.second, seqs))
      to.first->SendAck(committed);
  }
}

}  // namespace tacho
