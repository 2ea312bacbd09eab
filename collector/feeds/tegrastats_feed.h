// Reads what tegrastats prints: the program itself, a pipe that someone fills, or a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <thread>

#include "collector/feed.h"
#include "collector/feeds/stop_signal.h"
#include "collector/feeds/tegrastats_reader.h"
#include "common/time.h"

namespace tacho {

struct TegrastatsFeedConfig {
  // Started with `--interval`, unless `file` is given.
  std::string program = "tegrastats";
  std::string search_path = "/usr/bin:/usr/sbin:/usr/local/bin";
  Nanos interval = std::chrono::seconds(1);
  // A named pipe, or a log that is read once from its start.
  std::string file{};
  // How long a log waits behind each line, to look like the program; zero: as fast as possible.
  Nanos replay_pace{};
  // A program that ended is started again after this, twice this, ... at most that.
  Nanos restart_after = std::chrono::seconds(1);
  Nanos restart_at_most = std::chrono::seconds(60);
  // A program that says nothing for so long is ended and started again.
  Nanos silence_limit = std::chrono::seconds(60);
};

class TegrastatsFeed final : public Feed {
 public:
  // `clock` and `book` outlive the feed. `book` is asked on the feed's thread, when a line brings
  // something new.
  TegrastatsFeed(TegrastatsFeedConfig config, const Clock& clock, ChannelBook& book,
                 IsTaken is_taken);
  ~TegrastatsFeed() override { Stop(); }

  // kNotFound: there is no such program, or no such file.
  Status Start(SweepSink& sink) override;
  void Stop() override;
  FeedHealth health() const override;

  const TegrastatsCounters& counters() const { return counters_; }

 private:
  enum class Ended { kStream, kByStop, kBySilence };

  // So many samples make a life of the program a good one: what ended before is forgiven.
  static constexpr std::uint64_t kGoodLife = 3;

  Status StartFile(SweepSink& sink);
  void RunProgram(const std::string& program, SweepSink& sink);
  Ended RunOnce(const std::string& program, SweepSink& sink);
  void FollowPipe(int descriptor, SweepSink& sink);
  void ReplayLog(int descriptor, SweepSink& sink);
  bool ReplayLines(std::string_view bytes);
  // Reads `output` until its writer has ended, and `errors`, whose lines are noise; -1 for none.
  Ended Drink(int output, int errors, Nanos silence_limit);
  // A read of the program's output, and one of its errors; both may be -1. False at the end of the
  // output.
  bool Sip(int output, int& errors, LineSplitter& warnings);
  // Whether the program's lives are too short of late.
  bool IsFailing() const;

  const TegrastatsFeedConfig config_;
  const Clock& clock_;
  SamplePace pace_;
  ReadBudget budget_;
  TegrastatsCounters counters_;
  TegrastatsReader reader_;
  StopSignal stop_;
  std::thread thread_;
};

}  // namespace tacho
