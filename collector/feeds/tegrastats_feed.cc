// Reads what tegrastats prints: the program itself, a pipe that someone fills, or a log.
#include "collector/feeds/tegrastats_feed.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "collector/feeds/child_process.h"

namespace tacho {
namespace {

// What one read of a descriptor gave.
struct Chunk {
  std::string_view bytes;
  bool is_end = false;  // the writer has ended, or the descriptor is broken
};

using Buffer = std::array<char, 4096>;

Chunk ReadChunk(int descriptor, Buffer& buffer) {
  const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
  if (size > 0) return {.bytes = {buffer.data(), static_cast<std::size_t>(size)}};
  const bool is_empty_now = size < 0 && (errno == EAGAIN || errno == EINTR);
  return {.bytes = {}, .is_end = !is_empty_now};
}

int OpenInput(const std::string& file) {
  return ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

// Ends that waitpid does not tell of.
constexpr int kNeverStarted = -1;
constexpr int kEndedForSilence = -2;

// "with status 3".
std::string EndText(int how) {
  if (how == kNeverStarted) return "without having been started";
  if (how == kEndedForSilence) return "by us since it had been silent";
  if (WIFEXITED(how)) return "with status " + std::to_string(WEXITSTATUS(how));
  return "by signal " + std::to_string(WTERMSIG(how));
}

std::string MillisText(Nanos interval) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(interval).count();
  return std::to_string(std::max<std::int64_t>(millis, 1));
}

}  // namespace

TegrastatsFeed::TegrastatsFeed(TegrastatsFeedConfig config, const Clock& clock, ChannelBook& book,
                               IsTaken is_taken)
    : config_(std::move(config)),
      clock_(clock),
      pace_(config_.interval),
      budget_(config_.interval),
      reader_(clock, book, std::move(is_taken), counters_) {}

Status TegrastatsFeed::Start(SweepSink& sink) {
  if (thread_.joinable()) return Status(Code::kExists, "tegrastats: the feed runs already");
  stop_.Lower();
  if (!config_.file.empty()) return StartFile(sink);
  std::string program = FindProgram(config_.program, config_.search_path);
  if (program.empty()) {
    return Status(Code::kNotFound,
                  "tegrastats: no program " + config_.program + " in " + config_.search_path);
  }
  thread_ = std::thread([this, program = std::move(program), &sink] { RunProgram(program, sink); });
  return {};
}

Status TegrastatsFeed::StartFile(SweepSink& sink) {
  const int descriptor = OpenInput(config_.file);
  if (descriptor < 0) {
    const Code code = errno == ENOENT ? Code::kNotFound : Code::kUnavailable;
    return Status(code, "tegrastats: open " + config_.file + ": " + std::strerror(errno));
  }
  struct stat status {};
  const bool is_known = ::fstat(descriptor, &status) == 0;
  const bool is_log = is_known && S_ISREG(status.st_mode);
  if (!is_log && !(is_known && S_ISFIFO(status.st_mode))) {
    ::close(descriptor);
    return Status(Code::kInvalid,
                  "tegrastats: " + config_.file + " is neither a log nor a named pipe");
  }
  thread_ = std::thread([this, descriptor, is_log, &sink] {
    is_log ? ReplayLog(descriptor, sink) : FollowPipe(descriptor, sink);
  });
  return {};
}

void TegrastatsFeed::Stop() {
  if (!thread_.joinable()) return;
  stop_.Raise();
  thread_.join();
}

void TegrastatsFeed::RunProgram(const std::string& program, SweepSink& sink) {
  // So many lines are a sign of health: the next failure is a new one.
  constexpr std::uint64_t kHealthyLines = 10;
  Nanos delay = config_.restart_after;
  for (;;) {
    const std::uint64_t lines_before = counters_.lines;
    if (RunOnce(program, sink) == Ended::kByStop) return;
    if (!IsFailing()) counters_.ends_in_a_row = 0;
    ++counters_.ends_in_a_row;
    counters_.life = 0;
    if (counters_.lines - lines_before >= kHealthyLines) delay = config_.restart_after;
    if (!stop_.Sleep(delay)) return;
    delay = std::min(delay * 2, config_.restart_at_most);
    ++counters_.restarts;
  }
}

TegrastatsFeed::Ended TegrastatsFeed::RunOnce(const std::string& program, SweepSink& sink) {
  auto child = ChildProcess::Start(program, {"--interval", MillisText(config_.interval)});
  if (!child.ok()) {
    counters_.last_end = kNeverStarted;
    return Ended::kStream;  // tried again, and counted, like one that ended at once
  }
  reader_.Start(sink, TegrastatsReader::Limits{pace_, budget_});
  const Ended ended = Drink(child->output(), child->errors(), config_.silence_limit);
  reader_.End();
  const int how = child->End();
  counters_.last_end = ended == Ended::kBySilence ? kEndedForSilence : how;
  return ended;
}

void TegrastatsFeed::FollowPipe(int descriptor, SweepSink& sink) {
  for (;;) {
    reader_.Start(sink, TegrastatsReader::Limits{pace_, budget_});
    const Ended ended = Drink(descriptor, -1, StopSignal::kForEver);
    reader_.End();
    // Opened before the old one is closed, so that a writer who comes now finds a reader.
    const int again = ended == Ended::kByStop ? -1 : OpenInput(config_.file);
    ::close(std::exchange(descriptor, again));
    if (descriptor < 0) break;
    ++counters_.restarts;
  }
  counters_.is_at_end = true;
}

TegrastatsFeed::Ended TegrastatsFeed::Drink(int output, int errors, Nanos silence_limit) {
  LineSplitter warnings;
  for (;;) {
    const std::array<int, 2> descriptors{output, errors};
    const StopSignal::Woke woke = stop_.Wait(descriptors, silence_limit);
    if (woke == StopSignal::Woke::kStop) return Ended::kByStop;
    if (woke == StopSignal::Woke::kTimeout) return Ended::kBySilence;
    const bool goes_on = Sip(output, errors, warnings);
    if (budget_.is_spent()) {
      if (!stop_.Sleep(budget_.rest())) return Ended::kByStop;
      budget_.Rested();
    }
    if (!goes_on) return Ended::kStream;
  }
}

bool TegrastatsFeed::Sip(int output, int& errors, LineSplitter& warnings) {
  Buffer buffer;
  std::size_t read = 0;
  if (errors >= 0) {
    const Chunk chunk = ReadChunk(errors, buffer);
    read += chunk.bytes.size();
    warnings.Push(chunk.bytes, [this](std::string_view /*line*/) {
      ++counters_.noise;
      ++counters_.noise_in_a_row;
    });
    if (chunk.is_end) errors = -1;
  }
  const Chunk chunk = ReadChunk(output, buffer);
  budget_.Took(read + chunk.bytes.size(), clock_.Boot());
  reader_.Read(chunk.bytes);
  return !chunk.is_end;
}

bool TegrastatsFeed::IsFailing() const {
  return counters_.ends_in_a_row > 0 && counters_.life < kGoodLife;
}

FeedHealth TegrastatsFeed::health() const {
  FeedHealth health{.what = FeedHealth::What::kRunning,
                    .hears_noise = counters_.noise_in_a_row > 0,
                    .detail = {}};
  const auto say = [&health](const std::string& what) {
    health.detail += (health.detail.empty() ? "" : "; ") + what;
  };
  // "1 line", "2 lines", of what was counted; nothing is said of nothing.
  const auto say_of = [&say](std::uint64_t count, const char* thing, const std::string& what) {
    if (count > 0) say(std::to_string(count) + " " + thing + (count == 1 ? " " : "s ") + what);
  };
  if (counters_.is_at_end) {
    health.what = FeedHealth::What::kEnded;
    say(config_.file + " came to its end");
  } else if (IsFailing()) {
    health.what = FeedHealth::What::kFailing;
    const std::uint64_t ends = counters_.ends_in_a_row;
    const std::string times = ends == 1 ? "" : std::to_string(ends) + " times in a row, last ";
    say("ended " + times + EndText(counters_.last_end));
  }
  say_of(counters_.noise_in_a_row, "line", "since the last sample that no tegrastats prints");
  say_of(counters_.too_long, "line",
         "of more than " + std::to_string(LineSplitter::kLongestLine) + " bytes left out");
  say_of(counters_.skipped, "line",
         "left out that came faster than " + std::to_string(SamplePace::kAnInterval) +
             " in an interval");
  say_of(counters_.dropped, "reading",
         "left out since only " + std::to_string(TegrastatsChannels::kMaxChannels) +
             " channels are allowed");
  return health;
}

void TegrastatsFeed::ReplayLog(int descriptor, SweepSink& sink) {
  Buffer buffer;
  reader_.Start(sink);
  for (bool goes_on = true; goes_on;) {
    const Chunk chunk = ReadChunk(descriptor, buffer);
    goes_on = !chunk.is_end && ReplayLines(chunk.bytes);
  }
  reader_.End();
  ::close(descriptor);
  counters_.is_at_end = true;
}

// False when told to stop.
bool TegrastatsFeed::ReplayLines(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const bool is_whole = newline != std::string_view::npos;
    const std::uint64_t lines_before = counters_.lines;
    reader_.Read(bytes.substr(0, is_whole ? newline + 1 : newline));
    bytes.remove_prefix(is_whole ? newline + 1 : bytes.size());
    // Comments take no time.
    const bool is_sample = counters_.lines != lines_before;
    if (is_sample && !stop_.Sleep(config_.replay_pace)) return false;
  }
  return true;
}

}  // namespace tacho
