#include "server/store/committed_book.h"

#include <algorithm>

namespace tacho {
namespace {

// The least StreamId of a robot or boot: where its streams start in the map.
StreamId FirstOf(const std::string& robot, const BootId& boot = {}) {
  return {robot, {boot, Epoch{0}, Tier{0}}};
}

}  // namespace

void CommittedBook::AddStored(const StreamId& stream, SeqRange seqs) {
  MutexLock lock(mutex_);
  streams_[stream].all.Add(seqs);
}

void CommittedBook::AddGap(const StreamId& stream, SeqRange seqs) {
  MutexLock lock(mutex_);
  Entry& entry = streams_[stream];
  entry.all.Add(seqs);
  entry.gaps += seqs.count;
}

void CommittedBook::AddRetired(const StreamId& stream, SeqRange seqs) {
  MutexLock lock(mutex_);
  streams_[stream].all.Add(seqs);
  retired_.insert(stream.boot());
}

SeqRanges CommittedBook::Of(const StreamId& stream) const {
  MutexLock lock(mutex_);
  const auto found = streams_.find(stream);
  return found == streams_.end() ? SeqRanges() : found->second.all;
}

void CommittedBook::AddTo(RecordCounts& counts, const Entry& entry) {
  counts.stored += entry.all.count() - entry.gaps;
  counts.gaps += entry.gaps;
  counts.missing += Number(entry.all.last()) - entry.all.count();
}

std::vector<GapRow> CommittedBook::HolesOf(const BootKey& boot, std::size_t most) const {
  MutexLock lock(mutex_);
  std::vector<GapRow> holes;
  for (auto at = streams_.lower_bound(FirstOf(boot.robot, boot.boot));
       at != streams_.end() && at->first.boot() == boot; ++at) {
    const SeqRanges& all = at->second.all;
    for (const SeqRange& seqs : all.MissingIn({Seq{1}, Number(all.last())})) {
      if (holes.size() == most) return holes;
      holes.push_back({at->first.key.epoch, at->first.key.tier, seqs, "nobody accounts for it"});
    }
  }
  return holes;
}

RecordCounts CommittedBook::CountsOf(const BootKey& boot) const {
  MutexLock lock(mutex_);
  RecordCounts counts;
  for (auto at = streams_.lower_bound(FirstOf(boot.robot, boot.boot));
       at != streams_.end() && at->first.boot() == boot; ++at) {
    AddTo(counts, at->second);
  }
  return counts;
}

RecordCounts CommittedBook::CountsOf(const std::string& robot) const {
  MutexLock lock(mutex_);
  RecordCounts counts;
  for (auto at = streams_.lower_bound(FirstOf(robot));
       at != streams_.end() && at->first.robot == robot; ++at) {
    AddTo(counts, at->second);
  }
  return counts;
}

RecordCounts CommittedBook::CountsOf(const std::string& robot, Tier tier) const {
  MutexLock lock(mutex_);
  RecordCounts counts;
  for (auto at = streams_.lower_bound(FirstOf(robot));
       at != streams_.end() && at->first.robot == robot; ++at) {
    if (at->first.key.tier == tier) AddTo(counts, at->second);
  }
  return counts;
}

bool CommittedBook::HasRetired(const BootKey& boot) const {
  MutexLock lock(mutex_);
  return retired_.contains(boot);
}

void CommittedBook::See(const BootKey& boot, BootTime first, BootTime last) {
  MutexLock lock(mutex_);
  const auto [at, is_new] = seen_.try_emplace(boot, SeenRange{first, last});
  if (is_new) return;
  at->second.first = std::min(at->second.first, first);
  at->second.last = std::max(at->second.last, last);
}

std::optional<SeenRange> CommittedBook::SeenOf(const BootKey& boot) const {
  MutexLock lock(mutex_);
  const auto found = seen_.find(boot);
  if (found == seen_.end()) return std::nullopt;
  return found->second;
}

}  // namespace tacho
