// Turns the bytes that tegrastats prints into sweeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "collector/feed.h"
#include "collector/feeds/feed_pace.h"
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
  std::atomic<std::uint64_t> skipped{0};         // lines that came faster than they are taken
  std::atomic<std::uint64_t> dropped{0};         // readings of more channels than are allowed
  std::atomic<std::uint64_t> noise_in_a_row{0};  // noise and too long lines since the last sample
  std::atomic<std::uint64_t> restarts{0};  // of the program by us, or of its pipe by a new writer
  std::atomic<std::uint64_t> restarts_seen{0};  // restarts that only the numbers told of
  std::atomic<std::uint64_t> life{0};           // samples of the life of the program at hand
  std::atomic<std::uint64_t> ends_in_a_row{0};  // lives of the program that ended after few samples
  std::atomic<int> last_end{0};                 // of the last of them: waitpid's word, or below 0
  std::atomic<bool> is_root{false};             // a line had what only root is shown
  std::atomic<bool> is_at_end{false};           // the log has been read, or the pipe is gone
};

// Lives on the feed's thread. Each sample is one sweep, at the moment its line ended.
class TegrastatsReader {
 public:
  // All outlive the reader.
  TegrastatsReader(const Clock& clock, ChannelBook& book, IsTaken is_taken,
                   TegrastatsCounters& counters)
      : clock_(clock), counters_(counters), channels_(book, std::move(is_taken)) {}

  // What a stream may cost; both outlive its End().
  struct Limits {
    SamplePace& pace;
    ReadBudget& budget;
  };

  // A new life of the program, or a new file. Without limits every line is taken.
  void Start(SweepSink& sink, std::optional<Limits> limits = std::nullopt);
  // Between Start and End.
  void Read(std::string_view bytes);
  // The stream is over; what came without a newline is read as far as it can be believed.
  void End();

 private:
  // Whether the limits leave room for one more line at `now`.
  bool MayLook(BootTime now);
  void CountTooLong();
  void OnLine(std::string_view text);
  void Count();
  void Deliver(BootTime at);

  const Clock& clock_;
  TegrastatsCounters& counters_;
  TegrastatsChannels channels_;
  SweepSink* sink_ = nullptr;
  std::optional<Limits> limits_;
  LineSplitter lines_;
  TegrastatsLine line_;
  std::vector<std::optional<TegrastatsChannel>> resolved_;  // of line_.readings
  TegrastatsRestarts restarts_;
  bool is_first_ = true;  // the next sample is the first of its life
};

}  // namespace tacho
