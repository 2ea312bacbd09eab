// The thread that samples: sleeps until a deadline, sweeps, counts what it missed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>

#include "common/time.h"
#include "daemon/recorder/boot_alarm.h"
#include "daemon/recorder/row_assembler.h"
#include "daemon/recorder/sampler.h"

namespace tacho {

// Made, read and destroyed on the loop thread. Destruction waits for the read that is under way.
class SamplerThread {
 public:
  SamplerThread(const Clock& clock, std::span<const std::unique_ptr<SourceSlot>> slots,
                Nanos period, std::size_t ring_capacity);
  ~SamplerThread();

  void Start();
  // Asks the thread to end after the sweep it is in.
  void Stop() { alarm_.Stop(); }
  // Whether the thread has ended, so that destruction does not wait.
  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }

  Sampler& sampler() { return sampler_; }
  // Calls `take(const Row&)` for each row that arrived.
  template <class Take>
  void Drain(Take&& take) {
    Reading reading;
    while (ring_.TryPop(reading))
      assembler_.Add(reading, take);
  }
  // Ends the rows that were begun, after the last Drain.
  template <class Take>
  void Close(Take&& take) {
    assembler_.Close(take);
  }

  std::uint64_t dropped() const { return ring_.dropped(); }
  std::uint64_t sweeps() const { return sweeps_.load(std::memory_order_relaxed); }
  std::uint64_t missed() const { return missed_.load(std::memory_order_relaxed); }
  // How long the last sweep took.
  Nanos duration() const { return Nanos(duration_.load(std::memory_order_relaxed)); }

 private:
  void Run();

  const Clock& clock_;
  const Nanos period_;
  ReadingRing ring_;
  RowAssembler assembler_;
  Sampler sampler_;
  BootAlarm alarm_;
  std::atomic<std::uint64_t> sweeps_{0};
  std::atomic<std::uint64_t> missed_{0};
  std::atomic<std::int64_t> duration_{0};
  std::atomic<bool> has_ended_{false};
  std::thread thread_;
};

}  // namespace tacho
