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

void TegrastatsReader::Start(SweepSink& sink) {
  sink_ = &sink;
  restarts_ = {};
  is_first_ = true;
}

void TegrastatsReader::Read(std::string_view bytes) {
  lines_.Push(bytes, [this](std::string_view line) { OnLine(line); });
  counters_.too_long.store(lines_.too_long(), std::memory_order_relaxed);
}

void TegrastatsReader::End() {
  lines_.End([this](std::string_view line) { OnLine(line); });
  counters_.too_long.store(lines_.too_long(), std::memory_order_relaxed);
}

void TegrastatsReader::OnLine(std::string_view text) {
  ParseTegrastats(text, line_);
  if (!line_.is_sample) return Add(counters_.noise, 1);
  const BootTime at = clock_.Boot();
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
