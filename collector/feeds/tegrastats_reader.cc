// Turns the bytes that tegrastats prints into sweeps.
#include "collector/feeds/tegrastats_reader.h"

#include <algorithm>

namespace tacho {
namespace {

void Add(std::atomic<std::uint64_t>& counter, std::int64_t count) {
  counter.fetch_add(static_cast<std::uint64_t>(count), std::memory_order_relaxed);
}

// Loads are differences: the first line of a life has nothing before it, and up to R28 it says 0 %
// for every core. A 0 there cannot be told from no value.
void DropZerosOfCores(TegrastatsLine& line) {
  for (TegrastatsReading& reading : line.readings) {
    const bool is_zero = reading.why == Why::kPresent && reading.value == 0;
    if (reading.kind == TegrastatsKind::kCoreLoad && is_zero) reading.why = Why::kMissing;
  }
}

}  // namespace

void TegrastatsReader::Start(SweepSink& sink, std::optional<Limits> limits) {
  sink_ = &sink;
  limits_.reset();
  if (limits) limits_.emplace(*limits);
  counters_.life.store(0, std::memory_order_relaxed);
  restarts_ = {};
  is_first_ = true;
}

void TegrastatsReader::Read(std::string_view bytes) {
  lines_.Push(bytes, [this](std::string_view line) { OnLine(line); });
  CountTooLong();
}

void TegrastatsReader::End() {
  lines_.End([this](std::string_view line) { OnLine(line); });
  CountTooLong();
}

void TegrastatsReader::CountTooLong() {
  const std::uint64_t before = counters_.too_long.load(std::memory_order_relaxed);
  counters_.too_long.store(lines_.too_long(), std::memory_order_relaxed);
  counters_.noise_in_a_row.fetch_add(lines_.too_long() - before, std::memory_order_relaxed);
}

bool TegrastatsReader::MayLook(BootTime now) {
  return !limits_ || (limits_->pace.MayTake(now) && limits_->budget.TakeLine());
}

void TegrastatsReader::OnLine(std::string_view text) {
  if (limits_ && !MayLook(clock_.Boot())) return Add(counters_.skipped, 1);
  ParseTegrastats(text, line_);
  if (!line_.is_sample) {
    Add(counters_.noise_in_a_row, 1);
    return Add(counters_.noise, 1);
  }
  const BootTime at = clock_.Boot();
  if (limits_) limits_->pace.Take(at);
  if (restarts_.IsRestart(line_)) {
    Add(counters_.restarts_seen, 1);
    is_first_ = true;
  }
  if (is_first_) DropZerosOfCores(line_);
  is_first_ = false;
  Deliver(at);
  Count();
}

void TegrastatsReader::Count() {
  counters_.noise_in_a_row.store(0, std::memory_order_relaxed);
  Add(counters_.life, 1);
  Add(counters_.lines, 1);
  Add(counters_.unknown_tokens, line_.unknown_tokens);
  Add(counters_.bad_fields, line_.bad_fields);
  counters_.dropped.store(channels_.dropped(), std::memory_order_relaxed);
  const auto is_clock = [](const auto& r) { return r.kind == TegrastatsKind::kEmcFrequency; };
  if (std::ranges::any_of(line_.readings, is_clock)) counters_.is_root.store(true);
}

// Names what is new before the sweep begins, so that a sweep is of one set of channels.
void TegrastatsReader::Deliver(BootTime at) {
  resolved_.clear();
  for (const TegrastatsReading& reading : line_.readings) {
    resolved_.push_back(channels_.Of(reading));
  }
  sink_->Begin(at);
  for (std::size_t i = 0; i < resolved_.size(); ++i) {
    const TegrastatsReading& reading = line_.readings[i];
    if (!resolved_[i]) continue;
    if (reading.why == Why::kPresent) {
      sink_->Put(resolved_[i]->id, reading.value * resolved_[i]->scale);
    } else {
      sink_->Absent(resolved_[i]->id, reading.why);
    }
  }
  sink_->End();
}

}  // namespace tacho
