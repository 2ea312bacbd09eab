// Turns the bytes that tegrastats prints into sweeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "collector/feed.h"
#include "collector/feeds/tegrastats_channels.h"
#include "collector/parse/line_splitter.h"
#include "collector/parse/tegrastats.h"
#include "common/time.h"

namespace tacho {

// Any thread may read them.
struct TegrastatsCounters {
  std::atomic<std::uint64_t> lines{0};           // samples
  std::atomic<std::uint64_t> noise{0};           // other lines: warnings, errors, comments
  std::atomic<std::uint64_t> unknown_tokens{0};  // words of samples that no rule takes
  std::atomic<std::uint64_t> bad_fields{0};      // values of samples that cannot be read
  std::atomic<std::uint64_t> too_long{0};        // lines over 4 KiB, skipped
  std::atomic<std::uint64_t> dropped{0};         // readings of more channels than are allowed
  std::atomic<std::uint64_t> restarts{0};  // of the program by us, or of its pipe by a new writer
  std::atomic<std::uint64_t> restarts_seen{0};  // restarts that only the numbers told of
  std::atomic<bool> is_root{false};             // a line had what only root is shown
  std::atomic<bool> is_at_end{false};           // the log has been read
};

// Lives on the feed's thread. Each sample is one sweep, at the moment its line ended: the clock is
// asked once a sample.
class TegrastatsReader {
 public:
  // All outlive the reader.
  TegrastatsReader(const Clock& clock, ChannelBook& book, IsTaken is_taken,
                   TegrastatsCounters& counters)
      : clock_(clock), counters_(counters), channels_(book, std::move(is_taken)) {}

  // A new life of the program, or a new file.
  void Start(SweepSink& sink);
  // Between Start and End.
  void Read(std::string_view bytes);
  // The stream is over; what came without a newline is read as far as it can be believed.
  void End();

 private:
  void OnLine(std::string_view text);
  void Count();
  void Deliver(BootTime at);

  const Clock& clock_;
  TegrastatsCounters& counters_;
  TegrastatsChannels channels_;
  SweepSink* sink_ = nullptr;
  LineSplitter lines_;
  TegrastatsLine line_;
  std::vector<std::optional<TegrastatsChannel>> resolved_;  // of line_.readings
  TegrastatsRestarts restarts_;
  bool is_first_ = true;  // the next sample is the first of its life
};

}  // namespace tacho
