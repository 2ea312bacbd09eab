// Appends, syncs when due and wakes the uplink.
#include "daemon/recorder/spool_worker.h"

#include <algorithm>
#include <utility>

#include "common/log.h"

namespace tacho {
namespace {

constexpr Nanos kForever = std::chrono::hours(1);

const char* SentenceOf(PreviousEnd end) {
  switch (end) {
    case PreviousEnd::kUnknown:
      break;
    case PreviousEnd::kClean:
      return "the recorder before stopped cleanly";
    case PreviousEnd::kUnclean:
      return "the recorder before was killed or lost power";
  }
  return "";
}

}  // namespace

std::string LostSentence(const SpoolCounters& counters) {
  if (counters.lost_segments == 0) return "";
  return std::to_string(counters.lost_segments) +
         " segment files of the spool were taken away while the recorder ran; " +
         std::to_string(counters.lost_records) +
         " records in them, which the server had not acknowledged, are lost";
}

SpoolWorker::SpoolWorker(std::unique_ptr<SpoolWriter> writer, SyncConfig sync, BootReport report,
                         Wake wake, BootTime now)
    : writer_(std::move(writer)), policy_(sync), wake_(std::move(wake)) {
  SayWarnings();
  ReportBoot(std::move(report), now);
  CountUnacknowledged(now);
}

void SpoolWorker::ReportBoot(BootReport report, BootTime now) {
  report.boot_counter = writer_->boot_counter();
  report.previous_ended_clean = writer_->previous_end() != PreviousEnd::kUnclean;
  report.previous_end = SentenceOf(writer_->previous_end());
  // Fails only for a payload that no segment can hold, ignored since this one is small.
  (void)Append({.tier = Tier::kEvents,
                .kind = RecordKind::kBoot,
                .dictionary = {},
                .payload = Encode(report),
                .urgency = Urgency::kNow},
               now);
}

Stored SpoolWorker::Append(const Outgoing& record, BootTime now) {
  auto seq = writer_->Append(record.tier, record.kind, record.dictionary, record.payload, now);
  if (!seq.ok()) return {.status = std::move(seq).status()};
  policy_.Appended(record.urgency, now);
  if (!batch_since_) batch_since_ = now;
  return {.status = {}, .seq = *seq, .is_in_ram = writer_->is_ram_only()};
}

void SpoolWorker::Tend(BootTime now) {
  SayWarnings();  // of a folder that could be opened only now
  bool is_urgent = false;
  if (const auto due = policy_.due(); due && *due <= now) {
    is_urgent = policy_.is_urgent();
    // The writer counts a failure, keeps its sentence and writes the records again by itself,
    // ignored since there is nothing else to be done here.
    (void)writer_->Sync(now);
    policy_.Synced(now);
  }
  if (is_urgent || (batch_since_ && now - *batch_since_ >= kBatchEvery)) {
    wake_(is_urgent);
    batch_since_.reset();
    CountUnacknowledged(now);
  }
}

Nanos SpoolWorker::Patience(BootTime now) const {
  BootTime next = now + kForever;
  if (const auto due = policy_.due()) next = std::min(next, *due);
  if (batch_since_) next = std::min(next, *batch_since_ + kBatchEvery);
  return std::max(next - now, Nanos::zero());
}

void SpoolWorker::Close(BootTime now) {
  // A disk that refuses to the last is in the counters, ignored since nobody can mend it now.
  (void)writer_->Close(now);
  wake_(true);
}

void SpoolWorker::SayWarnings() {
  for (const std::string& warning : writer_->TakeWarnings()) {
    Log(LogLevel::kWarning, warning);
  }
}

void SpoolWorker::CountUnacknowledged(BootTime now) {
  if (counted_at_ != BootTime{} && now - counted_at_ < kBatchEvery) return;
  counted_at_ = now;
  writer_->LookForLost();
  unacknowledged_ = writer_->CountUnacknowledged();
}

SpoolView SpoolWorker::View() const {
  return {.counters = writer_->counters(),
          .boot_counter = writer_->boot_counter(),
          .unacknowledged = unacknowledged_,
          .previous_end = writer_->previous_end(),
          .last_failure = writer_->last_failure()};
}

}  // namespace tacho
