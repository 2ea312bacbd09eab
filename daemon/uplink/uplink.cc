#include "daemon/uplink/uplink.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "common/log.h"

namespace tacho {

namespace {

// A batch that need not wait for more.
constexpr std::size_t kFullBatch = ReadLimit{}.records;

double Seconds(Nanos span) {
  return std::chrono::duration<double>(span).count();
}

bool IsHopeless(Code code) {
  return code == Code::kDenied || code == Code::kInvalid || code == Code::kUnsupported;
}

}  // namespace

Uplink::Uplink(Scheduler& loop, const Clock& clock, RecordSource& spool, Link& link,
               UplinkConfig config, std::function<std::uint64_t()> random)
    : loop_(loop),
      clock_(clock),
      link_(link),
      config_(std::move(config)),
      backlog_(spool, config_.boot),
      backoff_(config_.backoff, std::move(random)) {}

void Uplink::Start() {
  Connect();
}

void Uplink::Connect() {
  Look();
  ++counters_.connects;
  state_ = State::kOpening;
  Hello hello;
  hello.robot = config_.robot;
  hello.boot = config_.boot;
  hello.boot_counter = backlog_.boot_counter();
  hello.agent = config_.agent;
  hello.clock = clock_.Pair();
  hello.streams = backlog_.streams();
  link_.Open(hello, *this);
}

void Uplink::OnWelcome(const Welcome& welcome) {
  if (state_ != State::kOpening) return;
  if (welcome.protocol < kProtocolOldest || welcome.protocol > kProtocolNewest) {
    CloseFor(Status(Code::kUnsupported,
                    fmt::format("the server chose protocol {}, unknown here", welcome.protocol)));
    return;
  }
  state_ = State::kOpen;
  ++counters_.welcomes;
  if (!trouble_.empty() || counters_.welcomes == 1) Log(LogLevel::kNotice, "the server is there");
  trouble_.clear();
  const std::uint64_t forgotten = backlog_.counters().forgotten_streams;
  for (const Committed& committed : welcome.committed) {
    backlog_.Begin(committed);
  }
  if (backlog_.counters().forgotten_streams > forgotten) {
    Log(LogLevel::kWarning,
        "the server has lost records that it once acknowledged: what the spool still holds of "
        "them is sent again");
  }
  Flush();
  state_changed_();
}

void Uplink::OnAck(const Committed& committed) {
  backlog_.Acknowledge(committed);
  backoff_.Reset();
  AwaitAnswer();
  PumpFull();
  CloseWhenDrained();
}

void Uplink::OnThrottle(Nanos pause) {
  ++counters_.throttles;
  Pause(pause);
}

void Uplink::OnRefused(const StreamKey& stream, SeqRange seqs, const Status& why,
                       const Committed& committed) {
  if (!backlog_.Refuse(stream, seqs, why, committed)) Pause(config_.refused_pause);
  AwaitAnswer();
  PumpFull();
  CloseWhenDrained();
}

void Uplink::CloseFor(Status why) {
  state_ = State::kClosing;
  link_.Close(why.message());
  why_closing_ = std::move(why);
}

void Uplink::OnClosed(const Status& said) {
  const Status why = why_closing_.ok() ? said : std::exchange(why_closing_, Status());
  backlog_.Recall();
  answer_.reset();
  pause_.reset();
  flush_.reset();
  events_.reset();
  is_paused_ = false;
  if (when_stopped_) {
    Stopped();
    return;
  }
  state_ = State::kIdle;
  const Nanos again = IsHopeless(why.code()) ? backoff_.NextHopeless() : backoff_.Next();
  SayLost(why, again);
  state_changed_();
  reconnect_ = loop_.After(again, [this] { Connect(); });
}

// Once for each new reason: a server that is away for a night is one line, not a thousand.
void Uplink::SayLost(const Status& why, Nanos again) {
  const std::string reason = why.ok() ? "the server ended the stream" : why.message();
  if (reason == trouble_) return;
  trouble_ = reason;
  Log(LogLevel::kWarning,
      fmt::format("not connected: {}; records stay in the spool, next attempt in {:.1f} s", reason,
                  Seconds(again)));
}

void Uplink::Wake(bool is_urgent) {
  if (state_ != State::kOpen) return;
  if (!is_urgent) {
    FlushAfter(std::max(Nanos(0), flushed_at_ + config_.flush_interval - clock_.Boot()));
    return;
  }
  const Nanos since = events_at_ ? clock_.Boot() - *events_at_ : config_.event_spacing;
  if (since >= config_.event_spacing) {
    SendEvents();
  } else {
    events_ = loop_.After(config_.event_spacing - since, [this] { SendEvents(); });
  }
}

void Uplink::SendEvents() {
  events_at_ = clock_.Boot();
  Look();
  Pump({Tier::kEvents, 1});
}

void Uplink::FlushAfter(Nanos delay) {
  flush_ = loop_.After(delay, [this] { Flush(); });
}

// Looks at the spool and sends whatever there is, then again when the next look is due.
void Uplink::Flush() {
  flushed_at_ = clock_.Boot();
  FlushAfter(config_.look_interval);
  Look();
  Pump({});
}

void Uplink::Look() {
  if (!backlog_.Look().ok()) ++counters_.look_failures;
}

void Uplink::PumpFull() {
  Pump({Tier::kHistory, kFullBatch});
}

bool Uplink::HasRoom() const {
  return backlog_.bytes_in_flight() < config_.in_flight_bytes &&
         backlog_.records_in_flight() < config_.in_flight_records;
}

void Uplink::Pump(const Demand& demand) {
  const bool was_idle = backlog_.records_in_flight() == 0;
  while (state_ == State::kOpen && !is_paused_ && HasRoom()) {
    const auto record = backlog_.Next(demand);
    if (!record || !link_.Send(*record)) break;
    backlog_.Depart(*record);
    ++counters_.sent_batches;
  }
  if (was_idle) AwaitAnswer();
}

// A server that took records and says nothing is as good as gone.
void Uplink::AwaitAnswer() {
  answer_.reset();
  if (backlog_.records_in_flight() == 0) return;
  answer_ = loop_.After(config_.answer_within, [this] {
    CloseFor(Status(Code::kUnavailable, fmt::format("the server gave no answer for {:.0f} s",
                                                    Seconds(config_.answer_within))));
  });
}

void Uplink::Pause(Nanos pause) {
  is_paused_ = true;
  pause_ = loop_.After(pause, [this] {
    is_paused_ = false;
    Flush();
  });
}

void Uplink::Stop(Nanos within, std::function<void()> done) {
  when_stopped_ = std::move(done);
  reconnect_.reset();
  if (state_ == State::kIdle) {
    stop_ = loop_.After(Nanos(0), [this] { Stopped(); });
    return;
  }
  stop_ = loop_.After(within, [this] {
    state_ = State::kClosing;
    link_.Close("stopping, not everything was sent");
  });
  if (state_ == State::kOpen) Flush();
  CloseWhenDrained();
}

// Nothing on its way, nothing left that could go: the moment to say goodbye.
void Uplink::CloseWhenDrained() {
  if (!when_stopped_ || state_ == State::kClosing) return;
  if (state_ == State::kOpen && !is_paused_) Pump({});
  if (backlog_.records_in_flight() > 0) return;
  state_ = State::kClosing;
  link_.Close("stopping");
}

void Uplink::Stopped() {
  if (state_ == State::kStopped) return;
  state_ = State::kStopped;
  stop_.reset();
  when_stopped_();
}

}  // namespace tacho
