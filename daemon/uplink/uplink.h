// Carries the spool to the server: connects, sends in order within a window, believes nothing sent
// until it is acknowledged, and starts again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/scheduler.h"
#include "common/time.h"
#include "daemon/uplink/backlog.h"
#include "daemon/uplink/backoff.h"
#include "daemon/uplink/record_source.h"
#include "rpc/link.h"

namespace tacho {

struct UplinkConfig {
  std::string robot;
  BootId boot;  // that runs now
  std::string agent;
  Nanos flush_interval = std::chrono::seconds(10);  // summaries wait for company up to this long
  Nanos look_interval = std::chrono::seconds(60);   // without being woken
  Nanos answer_within = std::chrono::seconds(60);   // or the connection counts as dead
  // Of two looks for events: a flood of them is sent together.
  Nanos event_spacing = std::chrono::milliseconds(200);
  Nanos refused_pause = std::chrono::seconds(5);  // after "not now"
  // Below the link's own limits, so that the link never has to say no.
  std::size_t in_flight_bytes = 768u << 10;
  std::size_t in_flight_records = 48;
  BackoffLimits backoff;
};

struct UplinkCounters {
  std::uint64_t sent_batches = 0;
  std::uint64_t connects = 0;  // attempts
  std::uint64_t welcomes = 0;
  std::uint64_t throttles = 0;
  std::uint64_t look_failures = 0;
};

// Loop thread, every member.
class Uplink final : private LinkEvents {
 public:
  // `random`: any 64 bits. All references must outlive the uplink.
  Uplink(Scheduler& loop, const Clock& clock, RecordSource& spool, Link& link, UplinkConfig config,
         std::function<std::uint64_t()> random);

  // `changed` is called when the server has come or gone. Before Start.
  void WhenStateChanges(std::function<void()> changed) { state_changed_ = std::move(changed); }
  // Once. Works without a server and without a spool: it goes on trying.
  void Start();
  // The recorder has written: an event, to be sent at once, or a batch's worth of summaries.
  void Wake(bool is_urgent);
  // Sends what it can within this time, says goodbye, then calls `done`, later or from a task of
  // the loop, once.
  void Stop(Nanos within, std::function<void()> done);

  bool is_connected() const { return state_ == State::kOpen; }
  // Why it is not connected; empty if it is or never was.
  const std::string& trouble() const { return trouble_; }
  const UplinkCounters& counters() const { return counters_; }
  const BacklogCounters& backlog_counters() const { return backlog_.counters(); }
  std::size_t records_in_flight() const { return backlog_.records_in_flight(); }

 private:
  enum class State : std::uint8_t { kIdle, kOpening, kOpen, kClosing, kStopped };

  void OnWelcome(const Welcome& welcome) override;
  void OnAck(const Committed& committed) override;
  void OnThrottle(Nanos pause) override;
  void OnRefused(const StreamKey& stream, SeqRange seqs, const Status& why,
                 const Committed& committed) override;
  void OnClosed(const Status& said) override;

  void Connect();
  void Look();
  void SendEvents();
  void Flush();
  void FlushAfter(Nanos delay);
  void Pump(const Demand& demand);
  void PumpFull();
  bool HasRoom() const;
  void AwaitAnswer();
  void Pause(Nanos pause);
  void CloseFor(Status why);
  void CloseWhenDrained();
  void Stopped();
  void SayLost(const Status& why, Nanos again);

  Scheduler& loop_;
  const Clock& clock_;
  Link& link_;
  const UplinkConfig config_;
  Backlog backlog_;
  Backoff backoff_;
  UplinkCounters counters_;
  State state_ = State::kIdle;
  BootTime flushed_at_;
  std::optional<BootTime> events_at_;  // last look for events alone
  bool is_paused_ = false;
  std::string trouble_;
  Status why_closing_;  // when the end is of our own making
  std::function<void()> state_changed_ = [] {};
  std::function<void()> when_stopped_;

  std::unique_ptr<Scheduler::Timer> flush_;   // the next look, woken or not
  std::unique_ptr<Scheduler::Timer> events_;  // a look for events that had to wait
  std::unique_ptr<Scheduler::Timer> reconnect_;
  std::unique_ptr<Scheduler::Timer> answer_;  // while anything is in flight
  std::unique_ptr<Scheduler::Timer> pause_;
  std::unique_ptr<Scheduler::Timer> stop_;
};

}  // namespace tacho
